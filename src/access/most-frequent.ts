/** How often a text occurs. */
export interface TextCount {
  text: string;
  count: number;
}

/** Converts a map from texts to counts into a list. */
export function textCountsFromMap(counts: ReadonlyMap<string, number>): TextCount[] {
  return [...counts].map(([text, count]) => ({ text, count }));
}

/**
 * The texts with the highest counts, most frequent first. Keeps only the top `limit` while scanning, because
 * sorting many entries is slow.
 */
export function findMostFrequentTexts<T extends TextCount>(all: readonly T[], limit: number): T[] {
  const top: T[] = [];
  for (const each of all) {
    const last = top.at(-1);
    if (top.length >= limit && last !== undefined && !isBefore(each, last)) continue;
    const position = top.findIndex((other) => isBefore(each, other));
    top.splice(position === -1 ? top.length : position, 0, each);
    if (top.length > limit) top.pop();
  }
  return top;
}

function isBefore(one: TextCount, other: TextCount): boolean {
  return one.count > other.count || (one.count === other.count && one.text < other.text);
}
