import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MCP_PATH } from "../content/service-identity.ts";
import { AppError } from "../errors.ts";
import { noteAnswer, securityHeaders } from "./guards.ts";
import type { HttpParts, PlainReply, PlainRequest } from "./parts.ts";
import { forwardedAddress } from "./request-reading.ts";

/**
 * The MCP service straight from the socket: what the framework does for a request costs more than
 * most of the service's answers. Takes the request if it is for exactly the service's path.
 */
export function openMcpDirectly({ mcp, origin, log, trustProxy }: HttpParts) {
  const shared = securityHeaders(origin);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url !== MCP_PATH) return false;
    const started = performance.now();
    const requestId = randomUUID();
    void mcp(plainRequest(request, trustProxy)).then((reply) => {
      send(reply, { ...shared, "X-Request-Id": requestId }, { request, response });
      const { method = "", url = "" } = request;
      noteAnswer(log, { requestId, method, path: url, status: reply.status, started });
    });
    return true;
  };
}

function send(
  { status, headers, body }: PlainReply,
  shared: Readonly<Record<string, string>>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  response.writeHead(status, {
    ...headers,
    ...shared,
    ...(body === null ? {} : { "Content-Length": Buffer.byteLength(body) }),
    // What is left of the body is not waited for.
    ...(request.complete ? {} : { Connection: "close" }),
  });
  response.end(request.method === "HEAD" ? null : body);
}

function plainRequest(request: IncomingMessage, trustProxy: boolean): PlainRequest {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  return {
    method: request.method ?? "GET",
    header,
    address:
      forwardedAddress(header("x-forwarded-for"), trustProxy) ?? request.socket.remoteAddress ?? "",
    body: (bytesMax) => readStream(request, bytesMax),
  };
}

/** @throws {AppError} `too_large` beyond that many bytes. */
async function readStream(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  return await new Promise((resolve, reject) => {
    const tooLarge = () =>
      reject(new AppError("too_large", `The body is longer than ${bytesMax} bytes`));
    if (Number(request.headers["content-length"] ?? 0) > bytesMax) return tooLarge();
    const pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > bytesMax) {
        request.pause();
        tooLarge();
      } else {
        pieces.push(piece);
      }
    });
    request.on("end", () =>
      resolve(pieces.length === 1 ? (pieces[0] ?? new Uint8Array()) : Buffer.concat(pieces)),
    );
    request.on("error", () => reject(new AppError("invalid", "The body ended too soon")));
  });
}
