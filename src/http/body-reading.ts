import { IncomingMessage, type ServerResponse } from "node:http";
import { AppError } from "../errors.ts";

/** How long the rest of a body is read and discarded after the answer. */
const DISCARD_MILLISECONDS_MAX = 2000;

/** The body of a request, whatever carries it. */
export interface ArrivingBody {
  /** As `Content-Length` states it; null: it does not. */
  statedBytes: number | null;
  /**
   * Reads the body once, piece by piece. Stopping early does not close the connection.
   *
   * @throws {AppError} `invalid` when the client disconnects before the end.
   */
  pieces(): AsyncIterable<Uint8Array>;
}

/** @throws {AppError} `too_large` beyond that many bytes, `invalid` when the body breaks off. */
export async function readBody(body: ArrivingBody, bytesMax: number): Promise<Uint8Array> {
  if (body.statedBytes !== null && body.statedBytes > bytesMax) throw tooLarge(bytesMax);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body.pieces()) {
    size += piece.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    pieces.push(piece);
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** Prefers the socket; a request without one comes from a command or a test. */
export function bodyOf(request: Request, incoming: unknown): ArrivingBody {
  return incoming instanceof IncomingMessage ? socketBody(incoming) : webBody(request);
}

export function socketBody(request: IncomingMessage): ArrivingBody {
  return {
    statedBytes: statedBytes(request.headers["content-length"]),
    pieces: () => socketPieces(request),
  };
}

export function webBody(request: Request): ArrivingBody {
  return {
    statedBytes: statedBytes(request.headers.get("content-length")),
    pieces: () => webPieces(request),
  };
}

/** Lets the client finish sending, for a while: closing earlier could cost it the answer. */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.destroy();
    }, DISCARD_MILLISECONDS_MAX).unref();
  });
}

async function* socketPieces(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  // Most bodies have arrived with their headers: no stream iterator is needed then.
  for (let piece = bufferedPiece(request); piece !== null; piece = bufferedPiece(request)) {
    yield piece;
  }
  if (request.complete && request.readableLength === 0) return;
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw brokenOff(cause);
  }
}

/** One read returns one chunk of what is buffered, not all of it. */
function bufferedPiece(request: IncomingMessage): Uint8Array | null {
  return request.readableLength === 0 ? null : request.read();
}

async function* webPieces({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw brokenOff(cause);
  }
}

function statedBytes(header: string | null | undefined): number | null {
  return header === null || header === undefined ? null : Number(header);
}

function tooLarge(bytesMax: number): AppError {
  return new AppError("too_large", `The body is longer than ${bytesMax} bytes`);
}

function brokenOff(cause: unknown): AppError {
  return new AppError("invalid", "The body broke off before its end; send it again", { cause });
}
