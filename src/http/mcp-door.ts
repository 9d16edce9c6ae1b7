import { AppError } from "../errors.ts";
import type { HttpContext, HttpParts, PlainRequest } from "./parts.ts";

/** Hands a request to the MCP service and its reply back, whatever the method. */
export function openMcpDoor({ mcp, trustProxy }: Pick<HttpParts, "mcp" | "trustProxy">) {
  return async (c: HttpContext): Promise<Response> => {
    const { status, headers, body } = await mcp(plainRequest(c, trustProxy));
    return new Response(c.req.method === "HEAD" ? null : body, { status, headers });
  };
}

function plainRequest(c: HttpContext, trustProxy: boolean): PlainRequest {
  const request = c.req.raw;
  return {
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    address: addressOf(c, trustProxy),
    body: (bytesMax) => readBody(request, bytesMax),
  };
}

/** Behind a proxy the last address it states is the one it saw itself; the others anyone may write. */
function addressOf(c: HttpContext, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : "";
  return forwarded || (c.env?.incoming?.socket.remoteAddress ?? "");
}

async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const tooLarge = new AppError("too_large", `The body is longer than ${bytesMax} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    size += piece.length;
    if (size > bytesMax) throw tooLarge;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
