import { AppError, type Wording } from "../../../errors.ts";
import { withTimeout } from "../../../work/with-timeout.ts";

/** Timeouts and retry delays for requests to an S3 store, in milliseconds. */
export interface S3Timeouts {
  /** Delays before the second attempt, before the third, and so on. */
  delays: readonly number[];
  /** Timeout for the start of a response, for a whole text response, and for each 8 MiB of an object. */
  responseTimeout: number;
  /** Timeout between two chunks of a response. */
  idleTimeout: number;
}

/**
 * Limit on a text response. One page of a list has 1,000 keys of up to 1 KiB, and an escaped character takes
 * six bytes: about 6 MB.
 */
const TEXT_BYTES_MAX = 8 * 1024 * 1024;
/** Limit on an error response, of which only the error code is read. */
const ERROR_BYTES_MAX = 64 * 1024;

/** @throws {AppError} `unavailable` if the text is longer than any valid response. */
export async function readResponseText(
  answer: Response,
  { responseTimeout: timeout, idleTimeout }: S3Timeouts,
) {
  const startedAt = performance.now();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of readResponseChunks(answer, idleTimeout)) {
    bytes += piece.length;
    if (bytes > TEXT_BYTES_MAX) throw new AppError("unavailable", TOO_LONG);
    if (performance.now() - startedAt > timeout) throw timeoutError();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

const TOO_LONG: Wording = {
  en: "The S3 store gives an answer that is too long",
  de: "Der S3-Speicher gibt eine zu lange Antwort",
};

/** Returns the start of an error response, which contains its code. */
export async function readErrorResponseText(
  answer: Response,
  idleTimeout: number,
): Promise<string> {
  let text = "";
  for await (const piece of readResponseChunks(answer, idleTimeout)) {
    text += Buffer.from(piece).toString("latin1");
    if (text.length >= ERROR_BYTES_MAX) break;
  }
  return text.slice(0, ERROR_BYTES_MAX);
}

export async function* readResponseChunks(
  answer: Response,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const next = await withTimeout(reader.read(), { milliseconds, timeoutError });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Discards a body that the caller does not need. */
export async function discardBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {});
}

export function timeoutError(): Error {
  return new DOMException("No answer in time", "TimeoutError");
}
