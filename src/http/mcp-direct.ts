import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MCP_PATH } from "../content/service-identity.ts";
import { readBody, socketBody } from "./body-reading.ts";
import { noteAnswer, securityHeaders } from "./guards.ts";
import type { HttpParts, PlainReply, PlainRequest } from "./parts.ts";
import { forwardedAddress } from "./request-reading.ts";
import { SentTogether } from "./turn-requests.ts";

/**
 * The MCP service straight from the socket: what the framework does for a request costs more than
 * most of the service's answers. Takes the request if it is for exactly the service's path.
 */
export function openMcpDirectly({ mcp, origin, log, trustProxy }: HttpParts) {
  const shared = Object.entries(securityHeaders(origin)).flat();
  const sent = new SentTogether();
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url !== MCP_PATH) return false;
    const started = performance.now();
    const requestId = randomUUID();
    mcp(plainRequest(request, trustProxy))
      .then((reply) =>
        sent.add(() => {
          send(reply, [...shared, "X-Request-Id", requestId], { request, response });
          const { method = "", url = "" } = request;
          noteAnswer(log, { requestId, method, path: url, status: reply.status, started });
        }),
      )
      .catch((error: unknown) => {
        log.error({ err: error, requestId }, "An answer could not be sent");
        response.destroy();
      });
    return true;
  };
}

/** `more` are names and values in turn, which node:http takes as they are. */
function send(
  { status, headers, body }: PlainReply,
  more: string[],
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  for (const name in headers) more.push(name, headers[name] ?? "");
  if (body !== null) more.push("Content-Length", String(body.length));
  response.writeHead(status, more);
  response.end(request.method === "HEAD" ? null : body, "latin1");
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
    body: (bytesMax) => readBody(socketBody(request), bytesMax),
  };
}
