import type { IncomingMessage } from "node:http";
import { AppError } from "../errors.ts";
import type { HttpContext } from "./parts.ts";

/** The caller's IP address; empty when there is no connection. */
export function addressOf(c: HttpContext, trustProxy: boolean): string {
  const forwarded = forwardedAddress(c.req.header("x-forwarded-for"), trustProxy);
  return forwarded ?? c.env?.incoming?.socket.remoteAddress ?? "";
}

/** Behind a proxy the last address it states is the one it saw itself; the others anyone may write. */
export function forwardedAddress(
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string | undefined {
  return trustProxy ? forwardedFor?.split(",").at(-1)?.trim() || undefined : undefined;
}

/** @throws {AppError} `too_large` beyond that many bytes, `invalid` when the body breaks off. */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const stated = request.headers.get("content-length");
  if (Number(stated ?? 0) > bytesMax) throw tooLarge(bytesMax);
  // Of a length that is known, no stream has to be made.
  if (stated !== null) return limited(await wholeBody(request), bytesMax);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(request)) {
    size += piece.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The same straight from the socket. */
export async function readSocketBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  // Of a request without a body the listener tells no end.
  if (request.readableEnded) return new Uint8Array();
  // What has arrived whole need not be waited for.
  const { readableLength } = request;
  if (request.complete && readableLength > 0 && readableLength <= bytesMax) return request.read();
  return await new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= bytesMax) pieces.push(piece);
      else {
        request.pause();
        reject(tooLarge(bytesMax));
      }
    });
    request.on("end", () =>
      resolve(pieces.length === 1 ? (pieces[0] ?? new Uint8Array()) : Buffer.concat(pieces)),
    );
    request.on("error", (error) => reject(brokenOff(error)));
  });
}

async function wholeBody(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    throw brokenOff(error);
  }
}

/** Without a socket, the length that is stated may be wrong. */
function limited(body: Uint8Array, bytesMax: number): Uint8Array {
  if (body.length > bytesMax) throw tooLarge(bytesMax);
  return body;
}

function tooLarge(bytesMax: number): AppError {
  return new AppError("too_large", `The body is longer than ${bytesMax} bytes`);
}

async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (error) {
    throw brokenOff(error);
  }
}

/** Why a body cannot be read to its end: whoever sent it has gone. */
export function brokenOff(cause: unknown): AppError {
  return new AppError("invalid", "The body broke off before its end; send it once more", { cause });
}
