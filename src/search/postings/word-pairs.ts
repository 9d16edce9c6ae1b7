/**
 * Number of buckets into which pairs of adjacent words are hashed for the index. Several pairs share a
 * bucket, so a bucket only proposes items; the order of their words decides. (Common grams, as in Lucene,
 * have a posting list for each pair instead, too many for a small database.)
 */
export const PAIR_BUCKETS = 16_384;

const FNV_PRIME = 0x01000193;
const GOLDEN_RATIO = 0x9e3779b1;

/**
 * The bucket number of a pair, which identifies its posting list: 1 to {@link PAIR_BUCKETS}.
 * @param first,second hashes of two adjacent words
 */
export function pairId(first: number, second: number): number {
  const mixed = Math.imul(Math.imul(first, GOLDEN_RATIO) ^ second, FNV_PRIME);
  return ((mixed ^ (mixed >>> 15)) & (PAIR_BUCKETS - 1)) + 1;
}
