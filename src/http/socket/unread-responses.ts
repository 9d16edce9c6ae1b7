import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpResponse } from "../exchange.ts";
import type { ClientMemoryBudget } from "./client-memory.ts";
import { countUnacknowledgedBytes } from "./kernel-queue.ts";

/**
 * Interval of progress checks. A client without progress is cut off at the third or fourth check,
 * after 15 to 20 seconds: the first check only sets the baseline, and Node's timeout may fire late
 * while an answer is written.
 */
const CHECK_MILLISECONDS = 5000;
/**
 * A client is cut off after this many consecutive checks without progress. One check is not enough:
 * over loopback, a reader of 10 KB a second acknowledges nothing for 6.5 seconds, because the
 * kernel frees space in pieces of 64 KB.
 */
const SILENT_CHECKS_MAX = 2;
/** Limit of checks without progress on systems that do not report acknowledged bytes. */
const BLIND_CHECKS_MAX = 18;
/** Bytes counted for the buffers of a streamed answer. */
const STREAM_BYTES = 256 * 1024;

type Body = HttpResponse["body"];

interface UnreadResponseOptions {
  memory: ClientMemoryBudget<Socket>;
  checkMilliseconds?: number;
  /** Called for each client that is cut off. */
  onStalled?: () => void;
}

/**
 * Counts answers against the memory budget while clients read them, and cuts off clients that stop
 * reading.
 */
export class UnreadResponses {
  readonly #memory: ClientMemoryBudget<Socket>;
  readonly #checkMilliseconds: number;
  readonly #onStalled: () => void;
  readonly #watched = new WeakSet<ServerResponse>();
  #count = 0;
  /**
   * Maps the bytes of an answer, such as a cached page, to the connections that are receiving these bytes.
   * The bytes are counted only for the first connection.
   */
  readonly #holders = new Map<Uint8Array, Set<Socket>>();

  constructor({
    memory,
    checkMilliseconds = CHECK_MILLISECONDS,
    onStalled = () => {},
  }: UnreadResponseOptions) {
    this.#memory = memory;
    this.#checkMilliseconds = checkMilliseconds;
    this.#onStalled = onStalled;
  }

  /** Answers that the kernel has not accepted completely. */
  get count(): number {
    return this.#count;
  }

  /**
   * Watches an answer until the client has read it. Does nothing if the kernel has already accepted
   * the whole answer.
   */
  watch(response: ServerResponse, body: Body): void {
    const { socket } = response;
    if (socket === null || response.writableLength === 0 || this.#watched.has(response)) return;
    this.#watched.add(response);
    this.#count += 1;
    const forget = this.#charge(socket, body);
    response.once("close", () => {
      this.#count -= 1;
      forget();
    });
    const isSilentAt = createSilenceCheck();
    // Node restarts this timeout whenever the kernel accepts more bytes.
    response.setTimeout(this.#checkMilliseconds, async () => {
      const queued = await countUnacknowledgedBytes(socket, this.#checkMilliseconds / 10);
      if (socket.destroyed || response.writableFinished) return;
      const isSilent = isSilentAt(queued);
      // If nothing is waiting to be written, a streamed answer waits for its source, not for the
      // client.
      const isStalled = isSilent && response.writableLength > 0 && queued !== 0;
      if (isStalled) {
        this.#onStalled();
        // A reset makes the kernel discard its buffers as well.
        socket.resetAndDestroy();
      } else {
        socket.setTimeout(this.#checkMilliseconds);
      }
    });
    // Prepended to run before Node's own listener, which then sets the timeout of an idle connection.
    response.prependOnceListener("finish", () => socket.setTimeout(0));
  }

  /** Counts an answer's bytes for its connection. @returns a function that subtracts the bytes again. */
  #charge(socket: Socket, body: Body): () => void {
    if (body instanceof Uint8Array) return this.#chargeShared(socket, body);
    const bytes = typeof body === "string" ? Buffer.byteLength(body) : STREAM_BYTES;
    this.#memory.charge(socket, bytes);
    return () => this.#memory.charge(socket, -bytes);
  }

  #chargeShared(socket: Socket, body: Uint8Array): () => void {
    const holders = this.#holders.get(body) ?? new Set();
    if (holders.size === 0) {
      this.#holders.set(body, holders);
      this.#memory.charge(socket, body.length);
    }
    holders.add(socket);
    return () => {
      const [charged] = holders;
      holders.delete(socket);
      if (charged !== socket) return;
      this.#memory.charge(socket, -body.length);
      const [next] = holders;
      if (next === undefined) this.#holders.delete(body);
      else this.#memory.charge(next, body.length);
    };
  }
}

/**
 * Returns a function to call at each check of a connection. `queued` is the number of bytes that
 * the kernel still buffers; null: unknown. The function returns true if the client was silent for
 * too long.
 */
function createSilenceCheck(): (queued: number | null) => boolean {
  let checks = 0;
  let silentChecks = 0;
  let before: number | null = null;
  return (queued) => {
    checks += 1;
    // `queued` may be null on Linux too: the kernel's table may omit a connection while others open
    // or close.
    if (queued === null) return checks > BLIND_CHECKS_MAX;
    silentChecks = queued === before ? silentChecks + 1 : 0;
    before = queued;
    return silentChecks >= SILENT_CHECKS_MAX;
  };
}
