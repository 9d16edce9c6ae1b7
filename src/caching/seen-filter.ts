import { crc32 } from "node:zlib";

/**
 * Which questions were asked lately, as checksums in one slot: texts would be many, and V8 would carry
 * each into its old space. Two that fall on one slot forget each other, and rarely pass for one.
 */
export class SeenFilter {
  readonly #checksums: Uint32Array;

  constructor(slots: number) {
    this.#checksums = new Uint32Array(slots);
  }

  has(key: string): boolean {
    const checksum = crc32(key);
    return this.#checksums[checksum % this.#checksums.length] === checksum;
  }

  /** Notes a key: was it noted before? */
  add(key: string): boolean {
    const checksum = crc32(key);
    const slot = checksum % this.#checksums.length;
    if (this.#checksums[slot] === checksum) return true;
    this.#checksums[slot] = checksum;
    return false;
  }
}
