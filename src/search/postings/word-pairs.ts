/**
 * The number of buckets into which the index hashes pairs of adjacent words. Several pairs share a bucket.
 * A bucket therefore only yields candidates, which are then checked against the word order of each item. A
 * posting list for each pair, as for Lucene's common grams, would be too much for a small database.
 */
export const PAIR_BUCKET_COUNT = 16_384;

const FNV_PRIME = 0x01000193;
const GOLDEN_RATIO = 0x9e3779b1;

/**
 * The number of the bucket of a pair, from 1 to {@link PAIR_BUCKET_COUNT}. This number identifies the
 * bucket's posting list.
 *
 * @param first,second hashes of two adjacent words.
 */
export function wordPairBucketNumber(first: number, second: number): number {
  const mixed = Math.imul(Math.imul(first, GOLDEN_RATIO) ^ second, FNV_PRIME);
  return ((mixed ^ (mixed >>> 15)) & (PAIR_BUCKET_COUNT - 1)) + 1;
}
