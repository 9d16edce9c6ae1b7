import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiAnswer, ApiRequest } from "./api/exchange.ts";
import { addressProblem } from "./api/refusal.ts";
import { API_PATH } from "./api/route-table.ts";
import { readBody, socketBody } from "./body-reading.ts";
import { addressFault, noteAnswer, securityHeaders } from "./guards.ts";
import { letTakeLong } from "./long-requests.ts";
import type { HttpParts } from "./parts.ts";
import { forwardedAddress } from "./request-reading.ts";

/** As it stands, the path of the URL that would be made of it, without a query. */
const PLAIN_TARGET = new RegExp(`^${API_PATH}/[A-Za-z0-9_/-]*$`);
const NO_PARAMETERS = new URLSearchParams();

/**
 * The administrative interface straight from the socket: what the framework and the web's classes do
 * for a request costs more than most of the interface's answers. Takes what is below its path.
 */
export function openApiDirectly({ api, origin, log, trustProxy, answered }: HttpParts) {
  const security = securityHeaders(origin);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method = "GET", url: target = "" } = request;
    if (!target.includes(`${API_PATH}/`)) return false;
    const url = urlOf(target, origin);
    if (url === null || !url.pathname.startsWith(`${API_PATH}/`)) return false;
    const started = performance.now();
    const requestId = randomUUID();
    const address =
      forwardedAddress(headerOf(request, "x-forwarded-for") ?? undefined, trustProxy) ??
      request.socket.remoteAddress ??
      "";
    const fault = addressFault(target);
    const answering =
      fault === null
        ? api(apiRequest(request, { method, url }), { address, requestId })
        : Promise.resolve(addressProblem({ ...fault, requestId }));
    answering
      .then((answer) => {
        const { status } = answer;
        answered("api", status, performance.now() - started);
        noteAnswer(log, { requestId, method, path: url.pathname, status, started });
        const headers = { ...security, "X-Request-Id": requestId, ...answer.headers };
        return send({ ...answer, headers }, response);
      })
      .catch((error: unknown) => {
        log.error({ err: error, requestId }, "An answer could not be sent");
        response.destroy();
      });
    return true;
  };
}

function urlOf(target: string, origin: string): ApiRequest["url"] | null {
  if (!PLAIN_TARGET.test(target)) return URL.parse(target, origin);
  return { pathname: target, search: "", searchParams: NO_PARAMETERS };
}

function apiRequest(
  request: IncomingMessage,
  { method, url }: Pick<ApiRequest, "method" | "url">,
): ApiRequest {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  const body = socketBody(request);
  return {
    method,
    url,
    header: (name) => headerOf(request, name),
    hasBody: length === undefined ? coding !== undefined : length !== "0",
    bytes: (bytesMax) => readBody(body, bytesMax),
    pieces: body.pieces,
    mayTakeLong: () => letTakeLong(request),
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(", ") : value) ?? null;
}

async function send({ status, headers, body }: ApiAnswer, response: ServerResponse): Promise<void> {
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? "");
  response.writeHead(status, list);
  if (body instanceof ReadableStream) await sendPieces(body, response);
  else response.end(body);
}

async function sendPieces(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  const reader = body.getReader();
  response.flushHeaders();
  response.on("close", () => reader.cancel().catch(() => {}));
  if (response.destroyed) await reader.cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!response.write(value)) await roomIn(response);
  }
  response.end();
}

async function roomIn(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
    if (response.destroyed) go();
  });
}
