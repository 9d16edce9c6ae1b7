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
  const tooLarge = new AppError("too_large", `The body is longer than ${bytesMax} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(request)) {
    size += piece.length;
    if (size > bytesMax) throw tooLarge;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
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
