import { wordCountOfLengthClass } from "../postings/indexed-items.ts";

/** The usual values of the BM25 parameters k1 and b. */
const TERM_SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** BM25 length normalization for each length class. */
export function lengthNorms(averageWords: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, lengthClass) => {
    const length = wordCountOfLengthClass(lengthClass) / Math.max(1, averageWords);
    return TERM_SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
  });
}

/** BM25 term frequency saturation. `frequency` is the weighted frequency times 2. */
export function saturatedFrequency(frequency: number, norm: number): number {
  return (frequency * (TERM_SATURATION + 1)) / (frequency + 2 * norm);
}

/** BM25 inverse document frequency. */
export function inverseDocumentFrequency(items: number, itemsTotal: number): number {
  const rarity = Math.log((itemsTotal - items + 0.5) / (items + 0.5));
  return Number.isFinite(rarity) && rarity > 0 ? rarity : 1e-6;
}
