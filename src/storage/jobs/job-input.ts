import { AppError } from "../../errors.ts";

const INPUT_BYTES_MAX = 4 * 1024 ** 3;
const LINE_END = 10;

/** Files without a job are kept this long, because their job may be about to be created. */
export const UNKNOWN_FILE_GRACE_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Counts lines, including a last line without a line break. */
export class LineCounter {
  #ends = 0;
  #isWithinLine = false;

  get lines(): number {
    return this.#isWithinLine ? this.#ends + 1 : this.#ends;
  }

  /**
   * Counts the lines of `bytes`, and yields `bytes` unchanged.
   * @throws {AppError} `too_large` beyond the limit of an import.
   */
  async *of(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const piece of bytes) {
      size += piece.length;
      if (size > INPUT_BYTES_MAX) throw tooLarge();
      for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, end + 1)) {
        this.#ends += 1;
      }
      if (piece.length > 0) this.#isWithinLine = piece.at(-1) !== LINE_END;
      yield piece;
    }
  }
}

/** The error for an import whose file no longer exists. */
export function importFileNotFoundError(): AppError {
  return new AppError("not_found", {
    en: "The file of this import no longer exists; send it again",
    de: "Die Datei dieses Imports gibt es nicht mehr: Laden Sie sie noch einmal hoch",
  });
}

function tooLarge(): AppError {
  const limit = INPUT_BYTES_MAX / 1024 ** 3;
  return new AppError("too_large", {
    en: `The import is larger than ${limit} GiB; send it in parts`,
    de: `Der Import ist größer als ${limit} GiB: Teilen Sie ihn auf`,
  });
}
