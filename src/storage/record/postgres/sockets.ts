import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Whoever ends a process waits ten seconds as a rule, before killing it. */
const SILENCE_MILLISECONDS_MAX = 2000;
const GOODBYE_MILLISECONDS_MAX = 500;

/**
 * What connections to the database go over. A server that hangs, or a network that swallows everything,
 * tells nobody of it: once the process is to end, a connection on which nothing comes for two seconds is
 * given up, so that whoever waits for an answer is told that the database is away.
 */
export class Sockets {
  readonly #open = new Set<Socket>();
  readonly #ending: AbortSignal | undefined;

  constructor(ending?: AbortSignal) {
    this.#ending = ending;
    const limitAll = () => {
      for (const socket of this.#open) limitSilence(socket);
    };
    ending?.addEventListener("abort", limitAll, { once: true });
  }

  /** Not yet connected. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    if (this.#ending?.aborted) limitSilence(socket);
    return socket;
  };

  /** Resolves when all are closed: after their users have ended, and a server has had time for a goodbye. */
  async closedAfter(ended: Promise<unknown>, milliseconds: number): Promise<void> {
    await Promise.race([ended, sleep(milliseconds, undefined, { ref: false })]);
    const goodbyes = [...this.#open].map(
      (socket) => new Promise((resolve) => socket.once("close", resolve)),
    );
    await Promise.race([
      Promise.all(goodbyes),
      sleep(GOODBYE_MILLISECONDS_MAX, undefined, { ref: false }),
    ]);
    for (const socket of this.#open) socket.destroy();
  }
}

function limitSilence(socket: Socket): void {
  socket.setTimeout(SILENCE_MILLISECONDS_MAX, () => socket.destroy());
}
