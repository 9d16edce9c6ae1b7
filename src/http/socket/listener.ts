import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { networkOf } from "../../access/address-limits.ts";
import type { Log } from "../../log.ts";
import { discardRest } from "../body-reading.ts";
import type { Handler } from "../exchange.ts";
import { problemJson } from "../problem.ts";
import type { Form } from "../reply.ts";
import { ClientMemory } from "./client-memory.ts";
import { headerFault } from "./header-faults.ts";
import { isTimeLimitLifted } from "./long-requests.ts";
import { Pipelining } from "./pipelining.ts";
import { send } from "./sending.ts";
import { socketRequest } from "./socket-request.ts";
import { UnreadAnswers } from "./unread-answers.ts";

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_MILLISECONDS = 10_000;
const REQUEST_MILLISECONDS = 30_000;
const KEEP_ALIVE_MILLISECONDS = 65_000;
/** Timeouts are checked this often; Node's default is every 30 seconds. */
const CHECK_MILLISECONDS = 1000;
/** What clients may make this process hold, beside caches of bounded size. */
const CLIENT_BYTES_MAX = 128 * 1024 * 1024;
/** Measured on 10,000 idle connections. */
const CONNECTION_BYTES = 8 * 1024;

/** Replies to errors of Node's parser, which reach no handler. */
const PARSE_ANSWERS: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The request line and headers are longer than 16 KiB",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive within 30 seconds"],
};

interface ListenerOptions {
  log: Log;
  /** Trust the client address a proxy states. */
  trustProxy: boolean;
  /** Sends a cached answer; null: there is none. */
  repeat?: (request: IncomingMessage, response: ServerResponse) => Form | null;
  /** Timeout for the request line and headers. */
  headersMilliseconds?: number;
  /** How long an answer may wait for its client to read on. */
  unreadMilliseconds?: number;
  clientBytesMax?: number;
  /** Counts clients that are cut off. */
  cutOff?: (reason: "memory" | "stalled") => void;
}

/** The HTTP server around a handler, with limits of time and size; not yet listening. */
export function createListener(handle: Handler, options: ListenerOptions): Server {
  const { log, headersMilliseconds = HEADERS_MILLISECONDS, cutOff = () => {} } = options;
  const memory = new ClientMemory<Socket>(options.clientBytesMax ?? CLIENT_BYTES_MAX, () =>
    cutOff("memory"),
  );
  const pipelining = new Pipelining(memory);
  const begin = answering(handle, options, memory);
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: headersMilliseconds,
      requestTimeout: REQUEST_MILLISECONDS,
      connectionsCheckingInterval: Math.min(CHECK_MILLISECONDS, headersMilliseconds),
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      // Creates no body stream for requests without a body, which makes most requests an eighth cheaper.
      optimizeEmptyRequests: true,
      // By default Node keeps the first of two Host or Authorization headers and drops the other.
      joinDuplicateHeaders: true,
    },
    (request, response) => {
      pipelining.inTurn(request, response, () => begin(request, response));
    },
  );
  server.on("connection", (socket) => {
    socket.once("close", () => memory.release(socket));
    memory.open(socket, networkOf(socket.remoteAddress ?? ""), CONNECTION_BYTES);
  });
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isTimeLimitLifted(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else pipelining.afterWaiting(socket, () => answerUnparsed(socket, error.code ?? ""));
  });
  server.on("error", (error) => log.error({ err: error }, "The server failed"));
  return server;
}

/** Answers one request, from the cache if possible. */
function answering(
  handle: Handler,
  { log, trustProxy, unreadMilliseconds, repeat = () => null, cutOff = () => {} }: ListenerOptions,
  memory: ClientMemory<Socket>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const unread = new UnreadAnswers({
    memory,
    stalled: () => cutOff("stalled"),
    ...(unreadMilliseconds === undefined ? {} : { checkMilliseconds: unreadMilliseconds }),
  });
  const repeated: typeof repeat = (request, response) => {
    try {
      return repeat(request, response);
    } catch {
      // The handler finds the same fault and reports it.
      return null;
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const hold = (bytes: number) => memory.charge(request.socket, bytes);
    const read = socketRequest(request, { trustProxy, hold });
    if (read === null) {
      return answerProblem(response, { status: 400, detail: "The address is not well-formed" });
    }
    await send(await handle(read), response, unread);
  };
  return (request, response) => {
    const fault = headerFault(request);
    if (fault !== null) return answerProblem(response, { status: 400, detail: fault });
    if (!request.complete) discardRest(request, response);
    const form = repeated(request, response);
    if (form !== null) return unread.watch(response, form.bytes);
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, "An answer could not be sent");
      if (response.headersSent) response.destroy();
      else answerProblem(response, { status: 500, detail: "Internal error" });
    });
  };
}

/** Closes the connection: after a parse error, request boundaries cannot be trusted. */
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
