import { type Actor, requireScope } from "../actor.ts";
import { DAY_MILLISECONDS, dayOf, type Period } from "../days.ts";
import { inspectKey } from "./key-lists.ts";
import type { KeyReader } from "./keys.ts";

/** How often a key did something on a day (UTC): a total, and nothing of the single request. */
export interface KeyUse {
  keyId: string;
  /** 2026-11-21. */
  day: string;
  /** A tool or method of the MCP service, or `api` with a route: `api GET /content/{id}`. */
  tool: string;
  count: number;
}

export interface KeyUseStore {
  /** Adds to what is there. */
  add(use: readonly KeyUse[]): Promise<void>;
  /** The days of a period, then by tool. */
  ofKey(keyId: string, period: Period): Promise<KeyUse[]>;
  /** Lets others have their turn, so that many days may be asked in a row. */
  ofDay(day: string): Promise<KeyUse[]>;
  /** Lets go of the days before. */
  forget(before: string): Promise<void>;
}

/**
 * Counts in memory what keys do, so that a request costs nothing; the clock adds it up in the store.
 */
export class KeyUseCounter {
  #counts = new Map<string, KeyUse>();
  #day = "";
  #dayNumber = -1;

  count(keyId: string, tool: string, now: Date): void {
    this.#add({ keyId, day: this.#today(now), tool, count: 1 });
  }

  /** Writes what is new, and nothing if nothing is; what cannot be written is kept for next time. */
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

  /** The day in words, found anew once a day: it would cost more than the counting. */
  #today(now: Date): string {
    const dayNumber = Math.floor(now.getTime() / DAY_MILLISECONDS);
    if (dayNumber !== this.#dayNumber) {
      this.#dayNumber = dayNumber;
      this.#day = dayOf(now);
    }
    return this.#day;
  }

  #add(use: KeyUse): void {
    const name = `${use.day} ${use.keyId} ${use.tool}`;
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, { ...use });
    else known.count += use.count;
  }
}

/** What a key did in a period, by day and tool. @throws {AppError} `not_found`, `forbidden`. */
export async function readKeyUse(
  { keys, keyUse }: { keys: KeyReader; keyUse: KeyUseStore },
  actor: Actor,
  keyId: string,
  period: Period,
): Promise<KeyUse[]> {
  requireScope(actor, "keys:manage");
  const key = await inspectKey(keys, actor, keyId);
  return await keyUse.ofKey(key.id, period);
}
