import { crc32 } from "node:zlib";

/**
 * Remembers recently seen keys in a table of fixed size. Stores checksums instead of the keys,
 * because strings would fill V8's old generation. Keys that share a slot evict each other. Rarely,
 * a new key counts as seen: two keys can have the same checksum.
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
