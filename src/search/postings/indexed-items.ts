import { STORED_FREQUENCY_MAX } from "./postings.ts";

const LENGTH_CLASS_MAX = 255;

/** Maximum size of a stem: 8 bytes for its number, a varint of up to 2^53, and 1 byte for its frequency. */
const STEM_BYTES_MAX = 9;

const CLASSES_PER_DOUBLING = 16;

/**
 * The stems of an item. Created only by {@link toIndexedItem} and {@link decodeIndexedItem}, which limit the length
 * class and each frequency to one byte.
 */
export interface IndexedItem {
  lengthClass: number;
  /** Weighted frequencies times 2, from 1 to 255, in order of stem numbers. */
  stems: readonly [id: number, frequency: number][];
}

/**
 * Makes the index entry of an item. Caps the frequencies and the length class at what the index can
 * store.
 *
 * @param frequencies the weighted frequency of each stem, times 2, by stem number.
 */
export function toIndexedItem(
  frequencies: ReadonlyMap<number, number>,
  words: number,
): IndexedItem {
  const stems = [...frequencies].sort(([a], [b]) => a - b);
  for (const stem of stems) stem[1] = Math.min(STORED_FREQUENCY_MAX, stem[1]);
  return { lengthClass: lengthClassOf(words), stems };
}

/**
 * The length class of a text. There are 256 classes, each for texts about 4 % longer than in the
 * previous class.
 */
function lengthClassOf(words: number): number {
  return Math.min(LENGTH_CLASS_MAX, Math.round(CLASSES_PER_DOUBLING * Math.log2(words + 1)));
}

/** The number of words of a text in the middle of a length class. */
export function wordCountOfLengthClass(lengthClass: number): number {
  return 2 ** (lengthClass / CLASSES_PER_DOUBLING) - 1;
}

/** Encodes the length class, then for each stem the delta to the previous stem (varint) and the frequency. */
export function encodeIndexedItem({ lengthClass, stems }: IndexedItem): Uint8Array {
  const bytes = new Uint8Array(1 + stems.length * STEM_BYTES_MAX);
  bytes[0] = lengthClass;
  let length = 1;
  let before = 0;
  for (const [id, frequency] of stems) {
    let delta = id - before;
    for (; delta > 127; delta = Math.floor(delta / 128)) bytes[length++] = (delta % 128) + 128;
    bytes[length++] = delta;
    bytes[length++] = frequency;
    before = id;
  }
  return bytes.slice(0, length);
}

export function decodeIndexedItem(bytes: Uint8Array): IndexedItem {
  const stems: [number, number][] = [];
  const lengthClass = forEachEncodedStem(bytes, (id, frequency) => stems.push([id, frequency]));
  return { lengthClass, stems };
}

/** Calls `use` for each stem of an encoded item. @returns the item's length class. */
export function forEachEncodedStem(
  bytes: Uint8Array,
  use: (id: number, frequency: number) => void,
): number {
  let id = 0;
  let at = 1;
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0;
    let scale = 1;
    for (; byte > 127; scale *= 128) {
      id += (byte - 128) * scale;
      byte = bytes[at++] ?? 0;
    }
    id += byte * scale;
    use(id, bytes[at++] ?? 0);
  }
  return bytes[0] ?? 0;
}
