import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { discardRest } from "./body-reading.ts";
import { headerFault } from "./header-faults.ts";
import { mayTakeLong } from "./long-requests.ts";
import { problemJson, problemResponse, STATUSES } from "./problem.ts";
import { TurnRequests } from "./turn-requests.ts";

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_MILLISECONDS = 10_000;
const REQUEST_MILLISECONDS = 30_000;
const KEEP_ALIVE_MILLISECONDS = 65_000;
/** How late a slow request may be noticed; Node looks every 30 seconds by itself. */
const CHECK_MILLISECONDS = 1000;

/** What the parser of Node refuses before any handler sees it. */
const PARSE_ANSWERS: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The request line and headers are longer than 16 KiB",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive within 30 seconds"],
};

interface Fetching {
  fetch(request: Request, env: unknown): Response | Promise<Response>;
}

type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean;

interface ListenerOptions {
  log: Log;
  /** Are asked before the app, in turn, whether they answer the request. */
  shortcuts?: readonly Shortcut[];
  /** Is told when requests of a turn of the event loop were answered, before more are read. */
  endTurn?: () => void;
  /** How long a request line and headers may take to arrive. */
  headersMilliseconds?: number;
}

/** The node server round the app, with the limits of time and size; not yet listening. */
export function createListener(
  app: Fetching,
  {
    log,
    shortcuts = [],
    endTurn = () => {},
    headersMilliseconds = HEADERS_MILLISECONDS,
  }: ListenerOptions,
): Server {
  const requests = new TurnRequests(endTurn);
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    // Done below, for every door.
    autoCleanupIncoming: false,
    // HTTP/1.0 needs no Host, and nothing here is taken from it.
    hostname: "localhost",
    errorHandler: (error) => answerUnread(error, log),
  });
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
    (request, response) =>
      requests.take(() => {
        // The client has disconnected.
        if (request.socket.destroyed) return;
        const fault = headerFault(request);
        if (fault !== null) return refuse(response, fault);
        if (!request.complete) discardRest(request, response);
        try {
          if (shortcuts.some((shortcut) => shortcut(request, response))) return;
          void answer(request, response);
        } catch (error) {
          // The others of this turn are answered all the same.
          answerFailed(response, error, log);
        }
      }),
  );
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && mayTakeLong(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else answerUnparsed(socket, error.code ?? "");
  });
  server.on("error", (error) => log.error({ err: error }, "The server failed"));
  return server;
}

function answerFailed(response: ServerResponse, error: unknown, log: Log): void {
  const isExpected = error instanceof AppError;
  if (!isExpected) log.error({ err: error }, "A request failed outside the app");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = isExpected ? STATUSES[error.code] : 500;
  const detail = isExpected ? error.message : "Internal error";
  const retry = isExpected ? error.retryAfterSeconds : undefined;
  response.writeHead(status, {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...(retry === undefined ? {} : { "Retry-After": String(retry) }),
  });
  response.end(problemJson({ status, detail }));
}

/** Closes the connection: what follows on it may not be what it seems. */
function refuse(response: ServerResponse, detail: string): void {
  const headers = { "Content-Type": "application/problem+json", Connection: "close" };
  response.writeHead(400, headers).end(problemJson({ status: 400, detail }));
}

/** A target or Host header of which no URL can be made; anything else is a bug. */
function answerUnread(error: unknown, log: Log): Response {
  if (error instanceof RequestError) {
    return problemResponse({
      status: 400,
      detail: "The address or the Host header is not well-formed",
    });
  }
  log.error({ err: error }, "A request failed outside the app");
  return problemResponse({ status: 500, detail: "Internal error" });
}

function answerUnparsed(socket: Duplex, code: string): void {
  const [status, detail] = PARSE_ANSWERS[code] ?? [
    "400 Bad Request",
    "The request is not well-formed HTTP",
  ];
  const body = JSON.stringify({
    type: "about:blank",
    title: status.slice(4),
    status: Number(status.slice(0, 3)),
    detail,
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
