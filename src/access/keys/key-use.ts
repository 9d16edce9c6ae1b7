import { type Actor, requireScope } from "../actor.ts";
import { DAY_MILLISECONDS, type UtcDayRange, utcDayOf } from "../days.ts";
import { inspectKey } from "./key-lists.ts";
import type { KeyReader } from "./keys.ts";

/** How often a key used one tool on one UTC day, without details of single requests. */
export interface DailyKeyUse {
  keyId: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** The name of an MCP tool or method, or `api` with a route, such as `api GET /content/{id}`. */
  tool: string;
  count: number;
}

export interface KeyUseStore {
  /** Adds `use` to the stored counts. */
  add(use: readonly DailyKeyUse[]): Promise<void>;
  /** A key's counts in a period, ordered by day, then by tool. */
  ofKey(keyId: string, period: UtcDayRange): Promise<DailyKeyUse[]>;
  /** The calls of all keys by day, oldest first; days without calls are left out. */
  totals(period: UtcDayRange): Promise<{ day: string; count: number }[]>;
  /**
   * The counts of all keys on one day. Yields to the event loop before it returns, so that a loop
   * over many days does not delay requests.
   */
  ofDay(day: string): Promise<DailyKeyUse[]>;
  /** Deletes the counts of all days before `before`. */
  forget(before: string): Promise<void>;
}

/** Counts key use in memory, so that requests write nothing. A clock task saves the counts. */
export class KeyUseCounter {
  #counts = new Map<string, DailyKeyUse>();
  #day = "";
  #dayNumber = -1;

  count(keyId: string, tool: string, now: Date): void {
    this.#add({ keyId, day: this.#today(now), tool, count: 1 });
  }

  /** Saves new counts, if any. Counts that could not be saved are saved by the next call. */
  async save(store: Pick<KeyUseStore, "add">): Promise<void> {
    const counts = [...this.#counts.values()];
    if (counts.length === 0) return;
    this.#counts = new Map();
    try {
      await store.add(counts);
    } catch (error) {
      for (const use of counts) this.#add(use);
      throw error;
    }
  }

  /** The UTC day as text. Cached, because formatting the day takes longer than counting a request. */
  #today(now: Date): string {
    const dayNumber = Math.floor(now.getTime() / DAY_MILLISECONDS);
    if (dayNumber !== this.#dayNumber) {
      this.#dayNumber = dayNumber;
      this.#day = utcDayOf(now);
    }
    return this.#day;
  }

  #add(use: DailyKeyUse): void {
    const countKey = `${use.day} ${use.keyId} ${use.tool}`;
    const known = this.#counts.get(countKey);
    if (known === undefined) this.#counts.set(countKey, { ...use });
    else known.count += use.count;
  }
}

/**
 * Reads the use of a key in a period, ordered by day, then by tool.
 *
 * @throws {AppError} `not_found`, `forbidden`.
 */
export async function readKeyUse(
  { keys, keyUse }: { keys: KeyReader; keyUse: KeyUseStore },
  actor: Actor,
  keyId: string,
  period: UtcDayRange,
): Promise<DailyKeyUse[]> {
  requireScope(actor, "keys:manage");
  const key = await inspectKey(keys, actor, keyId);
  return await keyUse.ofKey(key.id, period);
}
