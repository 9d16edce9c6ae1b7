/** Reads exact numbers of bytes from pieces of any size. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Yields the next bytes as they arrive. Yields fewer than requested only at the end. */
  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let remaining = bytes; remaining > 0; ) {
      if (this.#rest.length === 0 && !(await this.#next())) return;
      const piece = this.#rest.subarray(0, remaining);
      this.#rest = this.#rest.subarray(piece.length);
      remaining -= piece.length;
      yield piece;
    }
  }

  /** Returns the next bytes. Returns fewer than requested only at the end. */
  async read(bytes: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.take(bytes)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /**
   * Reads to the end of the source, so that every byte of an encrypted source is verified.
   * @returns false if more than `bytesMax` bytes remain; the rest is then not read.
   */
  async drain(bytesMax: number): Promise<boolean> {
    for (let allowed = bytesMax - this.#rest.length; ; allowed -= this.#rest.length) {
      if (allowed < 0) return false;
      if (!(await this.#next())) return true;
    }
  }

  /** Closes the source without reading to its end. */
  async stop(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return false;
    this.#rest = value;
    return true;
  }
}
