import { wordsInClass } from "../postings/postings.ts";

/** The usual starting constants of BM25. */
const TERM_SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** BM25 length normalisation, by length class. */
export function lengthNorms(averageWords: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, lengthClass) => {
    const length = wordsInClass(lengthClass) / Math.max(1, averageWords);
    return TERM_SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
  });
}

/** BM25 term frequency saturation; `frequency` is in halves. */
export function saturated(frequency: number, norm: number): number {
  return (frequency * (TERM_SATURATION + 1)) / (frequency + 2 * norm);
}

/** BM25 inverse document frequency. */
export function inverseDocumentFrequency(items: number, itemsTotal: number): number {
  const rare = Math.log((itemsTotal - items + 0.5) / (items + 0.5));
  return Number.isFinite(rare) && rare > 0 ? rare : 1e-6;
}
