import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../errors.ts";

/** How long the rest of a body is read and discarded after the answer. */
const DISCARD_MILLISECONDS_MAX = 2000;

/** A request body, from a socket or from this process. */
export interface RequestBody {
  /** Size from `Content-Length`; null: the header is absent. */
  declaredBytes: number | null;
  /**
   * Reads the body once, in pieces. Stopping early does not close the connection.
   *
   * @throws {AppError} `invalid` when the client disconnects early.
   */
  pieces(): AsyncIterable<Uint8Array>;
  /**
   * Counts bytes of the body that are in memory towards the client's memory budget. A negative
   * number subtracts.
   */
  countBytes(bytes: number): void;
}

/**
 * Reads a whole body. Returns an empty array if there is none.
 *
 * @throws {AppError} `too_large` beyond `bytesMax`, `invalid` when the body is cut off.
 */
export async function readBody(body: RequestBody | null, bytesMax: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  if (body.declaredBytes !== null && body.declaredBytes > bytesMax) throw tooLarge(bytesMax);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body.pieces()) {
      size += piece.length;
      body.countBytes(piece.length);
      if (size > bytesMax) throw tooLarge(bytesMax);
      pieces.push(piece);
    }
  } finally {
    body.countBytes(-size);
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** Reads a body once, in pieces. Yields nothing if there is none. */
export async function* readBodyInPieces(body: RequestBody | null): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body.pieces();
}

export function bodyFromSocket(
  request: IncomingMessage,
  countBytes: RequestBody["countBytes"],
): RequestBody {
  return {
    declaredBytes: contentLength(request.headers["content-length"]),
    pieces: () => socketPieces(request),
    countBytes,
  };
}

/**
 * After the answer, reads and discards the rest of the body for a while, because closing the
 * connection at once could lose the answer.
 */
export function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.destroy();
    }, DISCARD_MILLISECONDS_MAX).unref();
  });
}

async function* socketPieces(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  // Fast path: most bodies arrive together with their headers.
  for (let piece = bufferedPiece(request); piece !== null; piece = bufferedPiece(request)) {
    yield piece;
  }
  if (request.complete && request.readableLength === 0) return;
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw clientDisconnectedError(cause);
  }
}

/** One buffered chunk of the body; null: none is buffered. */
function bufferedPiece(request: IncomingMessage): Uint8Array | null {
  return request.readableLength === 0 ? null : request.read();
}

function contentLength(header: string | undefined): number | null {
  return header === undefined ? null : Number(header);
}

function tooLarge(bytesMax: number): AppError {
  return new AppError("too_large", {
    en: `The body is longer than ${bytesMax} bytes`,
    de: `Das ist zu lang: Auf einmal gehen höchstens ${Math.floor(bytesMax / 1024)} kB`,
  });
}

/** The error for a client that disconnects before the end of its body. */
export function clientDisconnectedError(cause: unknown): AppError {
  return new AppError(
    "invalid",
    {
      en: "The body broke off before its end; send it again",
      de: "Die Übertragung brach ab: Senden Sie es noch einmal",
    },
    { cause },
  );
}
