import { isIP } from "node:net";
import { type RateLimitDecision, roundUpWaitSeconds } from "./rate-limits.ts";

const ADDRESSES_MAX = 50_000;

export interface IpAddressRateLimit {
  /** Number of requests accepted per window. */
  limit: number;
  windowSeconds: number;
}

/**
 * Sliding-window limit per network address, for callers without a key. Each process keeps its own counts in
 * memory, and a restart clears them. All addresses of an IPv6 /64 share one limit, because a household
 * usually has a whole /64.
 */
export class IpAddressRateLimiter {
  readonly #limit: number;
  readonly #windowMilliseconds: number;
  /**
   * The times of each network's accepted requests, oldest first. The least recently used network
   * comes first.
   */
  readonly #accepted = new Map<string, readonly number[]>();

  constructor({ limit, windowSeconds }: IpAddressRateLimit) {
    this.#limit = limit;
    this.#windowMilliseconds = windowSeconds * 1000;
  }

  take(address: string, nowMilliseconds: number): RateLimitDecision {
    const network = clientNetworkOf(address);
    const since = nowMilliseconds - this.#windowMilliseconds;
    // Ignores times in the future: after the clock was set back, such times would block a network for too
    // long.
    const recent = (this.#accepted.get(network) ?? []).filter(
      (at) => at > since && at <= nowMilliseconds,
    );
    this.#accepted.delete(network);
    const [oldest] = recent;
    if (recent.length >= this.#limit && oldest !== undefined) {
      this.#accepted.set(network, recent);
      return { accepted: false, retryAfterSeconds: roundUpWaitSeconds(oldest - since) };
    }
    const taken = [...recent, nowMilliseconds];
    this.#accepted.set(network, taken);
    this.#evict();
    return {
      accepted: true,
      remaining: this.#limit - taken.length,
      resetSeconds: roundUpWaitSeconds((taken[0] ?? nowMilliseconds) - since),
    };
  }

  #evict(): void {
    for (const network of this.#accepted.keys()) {
      if (this.#accepted.size <= ADDRESSES_MAX) return;
      this.#accepted.delete(network);
    }
  }
}

/**
 * The network that identifies a client in limits and in the list of sessions: the /64 network of an IPv6
 * address, or the IPv4 address itself. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function clientNetworkOf(address: string): string {
  const withoutZone = address.split("%")[0] ?? "";
  if (isIP(withoutZone) !== 6) return withoutZone;
  const groups = parseIpv6Groups(withoutZone);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight 16-bit groups of an IPv6 address that has no zone. `URL` normalises the address. */
export function parseIpv6Groups(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
