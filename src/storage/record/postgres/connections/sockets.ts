import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A shutdown must end well before the ten seconds after which process managers usually kill a
 * process.
 */
const SILENCE_MILLISECONDS_MAX = 2000;
const DISCONNECT_MILLISECONDS_MAX = 500;

/**
 * Tracks the sockets of the database connections. Once `stopSignal` is aborted, destroys each socket that
 * is silent for two seconds: a hung server reports no error, so the shutdown would wait for its answers.
 */
export class DatabaseSockets {
  readonly #open = new Set<Socket>();
  readonly #stopSignal: AbortSignal | undefined;

  constructor(stopSignal?: AbortSignal) {
    this.#stopSignal = stopSignal;
    const limitAll = () => {
      for (const socket of this.#open) limitSilence(socket);
    };
    stopSignal?.addEventListener("abort", limitAll, { once: true });
  }

  /** Creates and tracks a socket; the caller connects it. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    if (this.#stopSignal?.aborted) limitSilence(socket);
    return socket;
  };

  /** Waits up to `milliseconds` for `ended`, then briefly for sockets to close, then destroys the rest. */
  async closeAfter(ended: Promise<unknown>, milliseconds: number): Promise<void> {
    await Promise.race([ended, sleep(milliseconds, undefined, { ref: false })]);
    const closing = [...this.#open].map(
      (socket) => new Promise((resolve) => socket.once("close", resolve)),
    );
    await Promise.race([
      Promise.all(closing),
      sleep(DISCONNECT_MILLISECONDS_MAX, undefined, { ref: false }),
    ]);
    for (const socket of this.#open) socket.destroy();
  }
}

function limitSilence(socket: Socket): void {
  socket.setTimeout(SILENCE_MILLISECONDS_MAX, () => socket.destroy());
}
