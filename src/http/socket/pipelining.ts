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
  readonly #waiting = new WeakMap<Socket, { count: number; last: ServerResponse }>();

  constructor(memory: ClientMemoryBudget<Socket>) {
    this.#memory = memory;
  }

  /** Calls `begin` when it is this request's turn: at once if all earlier requests are answered. */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    // Node assigns the socket to a response once the earlier responses are finished.
    if (response.socket !== null) begin();
    else if (!request.socket.destroyed) this.#wait(request.socket, response, begin);
  }

  /**
   * Calls back once the requests that wait on a connection are answered; at once if there are none.
   */
  afterWaiting(socket: Socket, callback: () => void): void {
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined || waiting.count === 0) callback();
    else waiting.last.once("close", callback);
  }

  #wait(socket: Socket, response: ServerResponse, begin: () => void): void {
    const waiting = this.#waiting.get(socket) ?? this.#watch(socket, response);
    waiting.count += 1;
    waiting.last = response;
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

  #watch(socket: Socket, last: ServerResponse) {
    const waiting = { count: 0, last };
    this.#waiting.set(socket, waiting);
    // Node resumes reading after each answer. This listener pauses reading again while requests wait.
    socket.on("resume", () => {
      if (waiting.count > 0) socket.pause();
    });
    return waiting;
  }
}
