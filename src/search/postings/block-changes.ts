import { blockOf, isRemovalPosting, rowOf, storedEntryOfPosting } from "./postings.ts";

/** The last change of each row, sorted by row. Returns `changes` itself if its rows are unique and sorted. */
export function keepLastChangePerRow(changes: Float64Array): Float64Array {
  if (changes.every((change, at) => at === 0 || rowOf(changes[at - 1] ?? 0) < rowOf(change))) {
    return changes;
  }
  const last = new Map<number, number>();
  for (const change of changes) last.set(rowOf(change), change);
  return Float64Array.from(last.values()).sort();
}

/** Yields the changes of each block of a posting list. Expects changes sorted by row. */
export function* groupChangesByBlock(
  changes: Float64Array,
): Generator<{ block: number; changes: Float64Array }> {
  let from = 0;
  for (let at = 1; at <= changes.length; at += 1) {
    const block = blockOf(changes[from] ?? 0);
    if (at < changes.length && blockOf(changes[at] ?? 0) === block) continue;
    yield { block, changes: changes.subarray(from, at) };
    from = at;
  }
}

/**
 * Applies changes to the entries of one block of a posting list, and returns the new entries. Both the
 * changes and the entries are sorted by row.
 */
export function mergePostings(before: Uint32Array, changes: Float64Array): Uint32Array {
  const after = new Uint32Array(before.length + changes.length);
  let length = 0;
  let at = 0;
  for (const change of changes) {
    const entry = storedEntryOfPosting(change);
    const row = rowOf(entry);
    while (at < before.length && rowOf(before[at] ?? 0) < row) after[length++] = before[at++] ?? 0;
    if (at < before.length && rowOf(before[at] ?? 0) === row) at += 1;
    if (!isRemovalPosting(change)) after[length++] = entry;
  }
  while (at < before.length) after[length++] = before[at++] ?? 0;
  return after.slice(0, length);
}
