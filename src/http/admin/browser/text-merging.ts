/**
 * Merges two changed versions of `base`, as the server does; null if both changed the same lines.
 */
export function mergeTexts(
  base: string,
  { mine, theirs }: { mine: string; theirs: string },
): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const [one, other] = [changedLines(base, mine), changedLines(base, theirs)];
  const [first, second] = one.start <= other.start ? [one, other] : [other, one];
  if (first.end >= second.start) return null;
  const middle = base.slice(first.end, second.start);
  return base.slice(0, first.start) + first.text + middle + second.text + base.slice(second.end);
}

/**
 * The smallest range of whole lines in `before` that covers every difference, and the text that
 * replaces it.
 */
function changedLines(before: string, after: string): { start: number; end: number; text: string } {
  const range = findChangedRange(before, after);
  const start = before.slice(0, range.start).lastIndexOf("\n") + 1;
  const lineEnd = before.indexOf("\n", range.end);
  const end = lineEnd === -1 ? before.length : lineEnd;
  return { start, end, text: after.slice(start, after.length - (before.length - end)) };
}

/**
 * The smallest range of characters in `before` that covers every difference, and the text that
 * replaces it.
 */
export function findChangedRange(
  before: string,
  after: string,
): { start: number; end: number; text: string } {
  const shorterLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorterLength && before[start] === after[start]) start += 1;
  let suffixLength = 0;
  while (
    suffixLength < shorterLength - start &&
    before.at(-1 - suffixLength) === after.at(-1 - suffixLength)
  )
    suffixLength += 1;
  return {
    start,
    end: before.length - suffixLength,
    text: after.slice(start, after.length - suffixLength),
  };
}
