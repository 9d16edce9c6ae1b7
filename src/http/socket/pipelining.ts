import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ClientMemoryBudget } from "./client-memory.ts";

/** Memory of a waiting request after parsing, without its headers. */
const WAITING_BYTES = 4096;

/**
 * Answers pipelined requests one at a time. Each request begins once the kernel has accepted the
 * answer to the previous request. While requests wait, nothing more is read from the connection.
 */
export class RequestPipeline {
  readonly #memory: ClientMemoryBudget<Socket>;
  readonly #waiting = new WeakMap<Socket, { count: number }>();
  readonly #latest = new WeakMap<Socket, ServerResponse>();

  constructor(memory: ClientMemoryBudget<Socket>) {
    this.#memory = memory;
  }

  /** Calls `begin` when it is this request's turn: at once if all earlier requests are answered. */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#latest.set(request.socket, response);
    // Node assigns the socket to a response once the earlier responses are finished.
    if (response.socket !== null) begin();
    else if (!request.socket.destroyed) this.#wait(request.socket, response, begin);
  }

  /**
   * Calls back once the connection's requests are answered, or the last one cannot arrive and its turn has come.
   * If the answer to that request has begun, closes the connection instead.
   */
  afterResponses(socket: Socket, callback: () => void): void {
    const latest = this.#latest.get(socket);
    if (latest === undefined || latest.closed) callback();
    else if (latest.req.complete) latest.once("close", callback);
    else if (latest.socket === null) latest.once("socket", callback);
    else if (latest.headersSent) socket.destroy();
    else callback();
  }

  #wait(socket: Socket, response: ServerResponse, begin: () => void): void {
    const waiting = this.#waiting.get(socket) ?? this.#watch(socket);
    waiting.count += 1;
    this.#memory.charge(socket, WAITING_BYTES);
    socket.pause();
    // Begins one request per turn of the event loop, so that a long queue does not delay other
    // connections.
    response.once("socket", () =>
      setImmediate(() => {
        waiting.count -= 1;
        this.#memory.charge(socket, -WAITING_BYTES);
        if (socket.destroyed) return;
        if (waiting.count === 0) socket.resume();
        begin();
      }),
    );
  }

  #watch(socket: Socket) {
    const waiting = { count: 0 };
    this.#waiting.set(socket, waiting);
    // Node resumes reading after each answer. This listener pauses reading again while requests wait.
    socket.on("resume", () => {
      if (waiting.count > 0) socket.pause();
    });
    return waiting;
  }
}
