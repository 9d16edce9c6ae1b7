import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { clientNetworkOf } from "../../access/address-limits.ts";
import type { Log } from "../../log.ts";
import { runForClient } from "../../search/current-client.ts";
import { currentTracer } from "../../tracing.ts";
import { discardUnreadBody } from "../body-reading.ts";
import type { Handler } from "../exchange.ts";
import { problemJson } from "../problem.ts";
import type { CachedResponse } from "../response-cache.ts";
import { AdmissionControl } from "./admission.ts";
import { ClientMemoryBudget } from "./client-memory.ts";
import { clientName } from "./client-name.ts";
import { findHeaderError } from "./header-errors.ts";
import { isTimeLimitLifted } from "./long-requests.ts";
import { RequestPipeline } from "./pipelining.ts";
import { endResponseWith, type SendingContext, sendResponse } from "./sending.ts";
import { requestFromSocket } from "./socket-request.ts";
import { UnreadResponses } from "./unread-responses.ts";
import { WriteBatch } from "./write-batch.ts";

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_MILLISECONDS = 10_000;
const REQUEST_MILLISECONDS = 30_000;
const KEEP_ALIVE_MILLISECONDS = 65_000;
/** Interval at which Node checks timeouts, instead of its default of 30 seconds. */
const CHECK_MILLISECONDS = 1000;
/**
 * Limit of the memory that all clients together can make this process use. Caches have their own
 * limits.
 */
const ALL_CLIENTS_BYTES_MAX = 128 * 1024 * 1024;
/** Memory of an idle connection, measured with 10,000 connections. */
const CONNECTION_BYTES = 8 * 1024;

/** Paths answered even under overload, so that a busy instance does not look dead. */
const PROBE_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Body of a refusal. A string rather than bytes, so that Node sends it in one write with the headers. */
const OVERLOAD_BODY = problemJson({
  status: 503,
  detail: "More requests arrive than can be answered: repeat this one in a second",
});
const OVERLOAD_HEADERS = [
  ...["Content-Type", "application/problem+json", "Content-Length", String(OVERLOAD_BODY.length)],
  ...["Cache-Control", "no-store", "Retry-After", "1", "X-Content-Type-Options", "nosniff"],
];

/** Responses to requests that Node's parser rejects. No handler sees these requests. */
const PARSE_ANSWERS: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The request line and headers are longer than 16 KiB",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    "The request did not arrive in time: its headers may take 10 seconds, all of it 30",
  ],
};

/** Trace attributes of an answer from the cache. Only pages and documents are cached. */
const REPEATED_ATTRIBUTES = { "http.route": "/*", "commonplace.repeated": true };

/**
 * `memory`: the memory budget of clients is used up. `stalled`: a client stopped reading its
 * answer. `overload`: a request was refused.
 */
export type DisconnectReason = "memory" | "stalled" | "overload";

interface ListenerOptions {
  log: Log;
  /** Whether to trust the client address in a proxy's header. */
  trustProxy: boolean;
  /** The cached answer to a request; null: there is none. */
  answerCached?: (request: IncomingMessage) => CachedResponse | null;
  /** Timeout for the request line and headers. */
  headersMilliseconds?: number;
  /**
   * Interval at which the progress of clients that are reading an answer is checked. Clients without
   * progress are cut off.
   */
  progressCheckMilliseconds?: number;
  allClientsBytesMax?: number;
  /** Aborted when the server begins to stop; answers then close their connections. */
  draining?: AbortSignal;
  /** Whether the key in an `Authorization` header was accepted recently. */
  isAccepted?: (authorization: string) => boolean;
  /** Counts disconnected clients and requests refused because of overload. */
  countCutOff?: (reason: DisconnectReason) => void;
}

/** Creates an HTTP server for a handler, with limits of time and size. The server does not listen yet. */
export function createHttpServer(handle: Handler, options: ListenerOptions): Server {
  const { log, countCutOff = () => {} } = options;
  const { headersMilliseconds = HEADERS_MILLISECONDS } = options;
  const memory = new ClientMemoryBudget<Socket>(
    options.allClientsBytesMax ?? ALL_CLIENTS_BYTES_MAX,
    () => countCutOff("memory"),
  );
  const pipelining = new RequestPipeline(memory);
  const admission = new AdmissionControl();
  const unread = unreadResponses(options, memory);
  const admit = createAdmissionListener(
    admission,
    createAnswerer(handle, options, { memory, unread }),
    options,
  );
  const server = new DrainableServer(
    unread,
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: headersMilliseconds,
      requestTimeout: REQUEST_MILLISECONDS,
      connectionsCheckingInterval: Math.min(CHECK_MILLISECONDS, headersMilliseconds),
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      // Creates no body stream for requests without a body. This makes most requests an eighth
      // cheaper.
      optimizeEmptyRequests: true,
      // Joins duplicate Host or Authorization headers, so that `findHeaderError` can reject them. By
      // default, Node silently drops the second header.
      joinDuplicateHeaders: true,
    },
    (request, response) => {
      pipelining.inTurn(request, response, () => admit(request, response));
    },
  );
  server.on("connection", (socket) => {
    admission.noteConnection();
    socket.once("close", () => memory.release(socket));
    memory.open(socket, clientNetworkOf(socket.remoteAddress ?? ""), CONNECTION_BYTES);
  });
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isTimeLimitLifted(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else pipelining.afterResponses(socket, () => answerUnparsed(socket, error.code ?? ""));
  });
  server.on("error", (error) => log.error({ err: error }, "The server failed"));
  return server;
}

/** `Server` whose idle connections can be closed without cutting off answers. */
class DrainableServer extends Server {
  readonly #unread: UnreadResponses;

  constructor(unread: UnreadResponses, options: ServerOptions, listener: RequestListener) {
    super(options, listener);
    this.#unread = unread;
  }

  /** Node takes a connection for idle as soon as the answer has ended, even if its bytes still wait to be sent. */
  override closeIdleConnections(): void {
    if (this.#unread.count === 0) super.closeIdleConnections();
  }
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Returns a listener that starts requests in an order that is fair to all clients, and refuses
 * excess requests.
 */
function createAdmissionListener(
  admission: AdmissionControl,
  begin: RequestListener,
  options: ListenerOptions,
): RequestListener {
  const { countCutOff = () => {} } = options;
  const naming = namingOf(options);
  return (request, response) => {
    if (admission.isFree() || PROBE_PATHS.has(request.url ?? "")) return begin(request, response);
    admission.wait(clientName(request, naming), {
      begin: () => {
        if (!request.socket.destroyed) begin(request, response);
      },
      refuse: () => {
        countCutOff("overload");
        response.writeHead(503, OVERLOAD_HEADERS).end(OVERLOAD_BODY);
      },
    });
  };
}

function namingOf({ trustProxy, isAccepted = () => false }: ListenerOptions) {
  return { trustProxy, isAccepted };
}

/** Returns a listener that answers a request, from the cache if possible. */
function createAnswerer(
  handle: Handler,
  options: ListenerOptions,
  { memory, unread }: { memory: ClientMemoryBudget<Socket>; unread: UnreadResponses },
): RequestListener {
  const { log, trustProxy, draining, answerCached = () => null } = options;
  const naming = namingOf(options);
  const sending: SendingContext = { unread, writes: new WriteBatch() };
  const closeIfDraining = (response: ServerResponse) => {
    if (draining?.aborted === true) response.shouldKeepAlive = false;
  };
  const tryAnswerCached: typeof answerCached = (request) => {
    try {
      return answerCached(request);
    } catch {
      // Does not report the error, because the handler will run into the same error and report it.
      return null;
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const countBytes = (bytes: number) => memory.charge(request.socket, bytes);
    const read = requestFromSocket(request, { trustProxy, countBytes });
    if (read === null) {
      return answerProblem(response, { status: 400, detail: "The address is not well-formed" });
    }
    const answered = await handle(read);
    closeIfDraining(response);
    await sendResponse(answered, response, sending);
  };
  const begin: RequestListener = (request, response) => {
    const fault = findHeaderError(request);
    if (fault !== null) return answerProblem(response, { status: 400, detail: fault });
    if (!request.complete) discardUnreadBody(request, response);
    const cached = tryAnswerCached(request);
    if (cached !== null) {
      currentTracer()?.describeRequest(REPEATED_ATTRIBUTES);
      closeIfDraining(response);
      response.writeHead(cached.status, cached.headers);
      return endResponseWith(cached.body, response, sending);
    }
    const answering = runForClient(
      () => clientName(request, naming),
      () => answer(request, response),
    );
    answering.catch((error: unknown) => {
      log.error({ err: error }, "An answer could not be sent");
      if (response.headersSent) response.destroy();
      else answerProblem(response, { status: 500, detail: "Internal error" });
    });
  };
  return (request, response) => {
    const tracer = currentTracer();
    if (tracer === null) begin(request, response);
    else tracer.request(request, response, () => begin(request, response));
  };
}

function unreadResponses(
  options: ListenerOptions,
  memory: ClientMemoryBudget<Socket>,
): UnreadResponses {
  const { progressCheckMilliseconds, countCutOff = () => {} } = options;
  return new UnreadResponses({
    memory,
    onStalled: () => countCutOff("stalled"),
    ...(progressCheckMilliseconds === undefined
      ? {}
      : { checkMilliseconds: progressCheckMilliseconds }),
  });
}

/** Answers and closes the connection, because request boundaries cannot be trusted after a parse error. */
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
