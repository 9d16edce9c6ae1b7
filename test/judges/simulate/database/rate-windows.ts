import type { Value } from "./wire.ts";

const MINUTE = 60_000;

interface Window {
  /** Times of accepted requests, oldest first. */
  accepted: number[];
  latestAt: number;
  ahead: number;
}

/** The arguments of `take_turns`, with one entry for each window. */
export interface Questions {
  epoch: string | null;
  windows: readonly string[];
  limits: readonly number[];
  asked: readonly number[];
  reported: readonly number[];
  reportedAgo: readonly number[];
}

/**
 * The unlogged tables of rate windows and their functions, as migration 002 of PostgreSQL defines them. A
 * crash of the server empties them.
 */
export class RateMemory {
  #epoch: string;
  readonly #windows = new Map<string, Window>();

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  lose(epoch: string): void {
    this.#epoch = epoch;
    this.#windows.clear();
  }

  /** Returns rows of epoch, accepted, before, resets_in, frees_in. */
  take({ epoch, windows, ...each }: Questions, wall: number): Value[][] {
    if (epoch !== null && epoch !== this.#epoch) return [[this.#epoch, null, null, null, null]];
    return windows.map((name, at) => {
      const window = this.#windows.get(name) ?? { accepted: [], latestAt: 0, ahead: 0 };
      this.#windows.set(name, window);
      const number = (list: readonly number[]) => list[at] ?? 0;
      return [
        this.#epoch,
        ...decide(window, {
          wall,
          limit: number(each.limits),
          asked: number(each.asked),
          reported: number(each.reported),
          reportedAgo: number(each.reportedAgo),
        }),
      ];
    });
  }

  forget(wall: number): void {
    for (const [name, { latestAt, ahead }] of this.#windows) {
      if (latestAt <= ahead - MINUTE + wall) this.#windows.delete(name);
    }
  }
}

function decide(
  window: Window,
  {
    wall,
    limit,
    asked,
    reported,
    reportedAgo,
  }: Record<"wall" | "limit" | "asked" | "reported" | "reportedAgo", number>,
): Value[] {
  let now = window.ahead + wall;
  if (window.latestAt > now) {
    window.ahead += window.latestAt - now;
    now = window.latestAt;
  }
  if (reported > 0) {
    window.latestAt = Math.max(window.latestAt, now - reportedAgo);
    for (let request = 0; request < reported; request += 1) window.accepted.push(window.latestAt);
  }
  window.accepted = window.accepted.filter((at) => at > now - MINUTE);
  const before = window.accepted.length;
  const resetsIn = (window.accepted[0] ?? now) + MINUTE - now;
  const accepted = Math.min(asked, Math.max(0, limit - before));
  if (accepted > 0) window.latestAt = now;
  for (let request = 0; request < accepted; request += 1) window.accepted.push(now);
  const blocking = window.accepted.at(-limit);
  const freesIn = accepted < asked && blocking !== undefined ? blocking + MINUTE - now : null;
  return [accepted, before, resetsIn, freesIn];
}
