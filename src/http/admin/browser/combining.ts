/** Merges changes of a text; knows nothing of the page. */

/** Merges two changes of a text, as the server does; null if both changed the same line. */
export function combine(
  base: string,
  { mine, theirs }: { mine: string; theirs: string },
): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const [one, other] = [linesChanged(base, mine), linesChanged(base, theirs)];
  const [first, second] = one.start <= other.start ? [one, other] : [other, one];
  if (first.end >= second.start) return null;
  const middle = base.slice(first.end, second.start);
  return base.slice(0, first.start) + first.text + middle + second.text + base.slice(second.end);
}

/** The range of lines that covers every difference between two texts. */
function linesChanged(before: string, after: string): { start: number; end: number; text: string } {
  const range = changeOf(before, after);
  const start = before.lastIndexOf("\n", range.start - 1) + 1;
  const next = before.indexOf("\n", range.end);
  const end = next === -1 ? before.length : next;
  return { start, end, text: after.slice(start, after.length - (before.length - end)) };
}

/** The range that covers every difference between two texts. */
export function changeOf(
  before: string,
  after: string,
): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
