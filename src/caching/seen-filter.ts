import { crc32 } from "node:zlib";

/**
 * Remembers recently seen keys in a table of fixed size. Two keys that fall on the same slot
 * replace each other. Stores checksums, because the keys themselves would fill V8's old generation.
 * Two keys can have the same checksum, so that, rarely, a new key counts as seen.
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

  /** @returns whether the key was seen before. */
  add(key: string): boolean {
    const checksum = crc32(key);
    const slot = checksum % this.#checksums.length;
    if (this.#checksums[slot] === checksum) return true;
    this.#checksums[slot] = checksum;
    return false;
  }
}
