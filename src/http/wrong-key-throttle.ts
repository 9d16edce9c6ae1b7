import { setTimeout as sleep } from "node:timers/promises";
import { clientNetworkOf } from "../access/address-limits.ts";
import { SeenFilter } from "../caching/seen-filter.ts";
import { AppError, englishOnlyWording } from "../errors.ts";

const ACCEPTED_MAX = 4096;
/** How many wrong keys from a network are refused without delay. The count decays over time. */
const BURST_MAX = 20;
const INTERVAL_MILLISECONDS = 250;
/** Limit of pending refusals per network. Beyond it, wrong keys get 429 at once. */
const DELAYED_MAX = 8;
const NETWORKS_MAX = 10_000;

/**
 * Slows down networks that try wrong keys. Only refusals are delayed: a valid key is answered at
 * once, regardless of what else its network sends.
 */
export class WrongKeyThrottle {
  readonly #accepted = new SeenFilter(ACCEPTED_MAX);
  /**
   * When each network's latest refusal is due, on the clock of `performance.now()`; oldest network first.
   */
  readonly #due = new Map<string, number>();

  /** Whether the key in an `Authorization` header was accepted recently. */
  isAccepted(authorization: string): boolean {
    return this.#accepted.has(authorization);
  }

  /**
   * Returns the result of `authenticate`, and delays the refusal of wrong keys.
   *
   * @throws {AppError} `rate_limited` when the network has tried too many wrong keys.
   */
  async watch<T>(
    authorization: string | undefined,
    address: string,
    authenticate: () => Promise<T>,
  ): Promise<T> {
    try {
      const actor = await authenticate();
      if (authorization !== undefined) this.#accepted.add(authorization);
      return actor;
    } catch (error) {
      const isWrong = error instanceof AppError && error.code === "unauthenticated";
      // In-process requests have no address and are not delayed.
      if (isWrong && authorization !== undefined && address !== "") {
        await this.#delayRefusal(clientNetworkOf(address));
      }
      throw error;
    }
  }

  async #delayRefusal(network: string): Promise<void> {
    const now = performance.now();
    const forgotten = now - BURST_MAX * INTERVAL_MILLISECONDS;
    const due = Math.max(this.#due.get(network) ?? forgotten, forgotten) + INTERVAL_MILLISECONDS;
    const wait = due - now;
    if (wait > DELAYED_MAX * INTERVAL_MILLISECONDS) {
      throw new AppError(
        "rate_limited",
        englishOnlyWording("Your network has tried too many wrong keys: wait a minute"),
        {
          retryAfterSeconds: 60,
        },
      );
    }
    this.#due.delete(network);
    this.#due.set(network, due);
    for (const oldest of this.#due.keys()) {
      if (this.#due.size <= NETWORKS_MAX) break;
      this.#due.delete(oldest);
    }
    if (wait > 0) await sleep(wait);
  }
}
