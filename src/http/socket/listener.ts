import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Log } from "../../log.ts";
import { discardRest } from "../body-reading.ts";
import type { Handler } from "../exchange.ts";
import { problemJson } from "../problem.ts";
import { headerFault } from "./header-faults.ts";
import { isTimeLimitLifted } from "./long-requests.ts";
import { send } from "./sending.ts";
import { socketRequest } from "./socket-request.ts";

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_MILLISECONDS = 10_000;
const REQUEST_MILLISECONDS = 30_000;
const KEEP_ALIVE_MILLISECONDS = 65_000;
/** How late a slow request may be noticed; Node checks every 30 seconds by default. */
const CHECK_MILLISECONDS = 1000;

/** What Node's parser refuses before any handler sees it. */
const PARSE_ANSWERS: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The request line and headers are longer than 16 KiB",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive within 30 seconds"],
};

interface ListenerOptions {
  log: Log;
  /** Believe the client address a proxy states. */
  trustProxy: boolean;
  /** Writes an answer that is cached as sent; false: there is none. */
  repeat?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** How long a request line and headers may take to arrive. */
  headersMilliseconds?: number;
}

/** The HTTP server around a handler, with the limits of time and size; not yet listening. */
export function createListener(
  handle: Handler,
  {
    log,
    trustProxy,
    repeat = () => false,
    headersMilliseconds = HEADERS_MILLISECONDS,
  }: ListenerOptions,
): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const read = socketRequest(request, { trustProxy });
    if (read === null) {
      return answerProblem(response, { status: 400, detail: "The address is not well-formed" });
    }
    await send(await handle(read), response);
  };
  const isRepeated: typeof repeat = (request, response) => {
    try {
      return repeat(request, response);
    } catch {
      // The handler meets the same fault and words it.
      return false;
    }
  };
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: headersMilliseconds,
      requestTimeout: REQUEST_MILLISECONDS,
      connectionsCheckingInterval: Math.min(CHECK_MILLISECONDS, headersMilliseconds),
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      // A request without a body is no stream then, which makes most of them an eighth cheaper.
      optimizeEmptyRequests: true,
      // Node would keep the first of two Host or Authorization headers and drop the other.
      joinDuplicateHeaders: true,
    },
    (request, response) => {
      const fault = headerFault(request);
      if (fault !== null) return answerProblem(response, { status: 400, detail: fault });
      if (!request.complete) discardRest(request, response);
      if (isRepeated(request, response)) return;
      answer(request, response).catch((error: unknown) => {
        log.error({ err: error }, "An answer could not be sent");
        if (response.headersSent) response.destroy();
        else answerProblem(response, { status: 500, detail: "Internal error" });
      });
    },
  );
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isTimeLimitLifted(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else answerUnparsed(socket, error.code ?? "");
  });
  server.on("error", (error) => log.error({ err: error }, "The server failed"));
  return server;
}

/** Closes the connection: what follows on it may not be what it seems. */
function answerProblem(
  response: ServerResponse,
  problem: { status: number; detail: string },
): void {
  const headers = { "Content-Type": "application/problem+json", Connection: "close" };
  response.writeHead(problem.status, headers).end(problemJson(problem));
}

function answerUnparsed(socket: Duplex, code: string): void {
  const [status, detail] = PARSE_ANSWERS[code] ?? [
    "400 Bad Request",
    "The request is not well-formed HTTP",
  ];
  const body = problemJson({ status: Number(status.slice(0, 3)), detail });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
