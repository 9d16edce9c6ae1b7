import { crc32 } from "node:zlib";

/**
 * Which questions were asked lately, as checksums in one place: texts would be many, and V8 would carry
 * each into its old space. Two that fall on one place forget each other, and rarely pass for one.
 */
export class AskedBefore {
  readonly #checksums: Uint32Array;

  constructor(questionsMax: number) {
    this.#checksums = new Uint32Array(questionsMax);
  }

  has(question: string): boolean {
    const checksum = crc32(question);
    return this.#checksums[checksum % this.#checksums.length] === checksum;
  }

  /** Notes a question: was it noted before? */
  note(question: string): boolean {
    const checksum = crc32(question);
    const place = checksum % this.#checksums.length;
    if (this.#checksums[place] === checksum) return true;
    this.#checksums[place] = checksum;
    return false;
  }
}
