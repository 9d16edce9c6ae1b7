import type { SearchDay, SearchStore } from "../search/search-log.ts";
import { type Actor, requireScope } from "./actor.ts";
import { COUNTS_KEPT_DAYS, daysBefore, daysOf, type Period } from "./days.ts";
import type { KeyUseStore } from "./keys/key-use.ts";
import type { KeyReader } from "./keys/keys.ts";

/** The texts of searches may tell more than counts do, so they go sooner. */
const TEXTS_KEPT_DAYS = 90;

export interface StatisticsStores {
  keys: KeyReader;
  keyUse: KeyUseStore;
  searches: SearchStore;
}

export interface SearchStatistics {
  total: number;
  withoutResult: number;
  byDay: SearchDay[];
  /** The most frequent, with the most that each found. */
  top: { text: string; count: number; hits: number }[];
  /** Those that never found anything in the period, the most frequent first. */
  topWithoutResult: { text: string; count: number }[];
}

export interface UseStatistics {
  total: number;
  byDay: { day: string; count: number }[];
  byKey: { keyId: string; name: string; count: number }[];
  byTool: { tool: string; count: number }[];
}

export interface Statistics {
  searches: SearchStatistics;
  use: UseStatistics;
}

/**
 * What was searched for and what keys did in a period; the lists of texts, keys and tools as long as
 * `limit`. Counted day by day, so that nobody else waits.
 *
 * @throws {AppError} `forbidden`, `unauthenticated`.
 */
export async function readStatistics(
  stores: StatisticsStores,
  actor: Actor,
  { limit, ...period }: Period & { limit: number },
): Promise<Statistics> {
  requireScope(actor, "audit:read");
  return {
    searches: await searchStatistics(stores.searches, period, limit),
    use: await useStatistics(stores, period, limit),
  };
}

/** Deletes what is older than is kept. */
export async function forgetOldStatistics(
  { keyUse, searches }: Pick<StatisticsStores, "keyUse" | "searches">,
  now: Date,
): Promise<void> {
  const counts = daysBefore(now, COUNTS_KEPT_DAYS);
  await keyUse.forget(counts);
  await searches.forget({ counts, texts: daysBefore(now, TEXTS_KEPT_DAYS) });
}

async function searchStatistics(
  searches: SearchStore,
  period: Period,
  limit: number,
): Promise<SearchStatistics> {
  const byDay = await searches.days(period);
  const texts = new Map<string, { text: string; count: number; hits: number }>();
  for (const day of daysOf(period)) {
    for (const { text, count, hits } of await searches.textsOfDay(day)) {
      const known = texts.get(text) ?? { text, count: 0, hits: 0 };
      texts.set(text, { text, count: known.count + count, hits: Math.max(known.hits, hits) });
    }
  }
  const all = [...texts.values()];
  const missed = all.filter(({ hits }) => hits === 0);
  return {
    total: sumOf(byDay.map((day) => day.searches)),
    withoutResult: sumOf(byDay.map((day) => day.withoutResult)),
    byDay,
    top: mostFrequent(all, limit),
    topWithoutResult: mostFrequent(missed, limit).map(({ text, count }) => ({ text, count })),
  };
}

async function useStatistics(
  { keys, keyUse }: StatisticsStores,
  period: Period,
  limit: number,
): Promise<UseStatistics> {
  const days = new Map<string, number>();
  const keyIds = new Map<string, number>();
  const tools = new Map<string, number>();
  for (const day of daysOf(period)) {
    for (const { keyId, tool, count } of await keyUse.ofDay(day)) {
      days.set(day, (days.get(day) ?? 0) + count);
      keyIds.set(keyId, (keyIds.get(keyId) ?? 0) + count);
      tools.set(tool, (tools.get(tool) ?? 0) + count);
    }
  }
  const byKey: UseStatistics["byKey"] = [];
  for (const { text: keyId, count } of mostFrequent(counted(keyIds), limit)) {
    byKey.push({ keyId, name: (await keys.byId(keyId))?.name ?? "", count });
  }
  return {
    total: sumOf([...days.values()]),
    byDay: [...days].reverse().map(([day, count]) => ({ day, count })),
    byKey,
    byTool: mostFrequent(counted(tools), limit).map(({ text, count }) => ({ tool: text, count })),
  };
}

interface Counted {
  text: string;
  count: number;
}

function counted(counts: ReadonlyMap<string, number>): Counted[] {
  return [...counts].map(([text, count]) => ({ text, count }));
}

/** Without putting all in order, which takes long when there are many. */
function mostFrequent<T extends Counted>(all: readonly T[], limit: number): T[] {
  const top: T[] = [];
  for (const each of all) {
    const last = top.at(-1);
    if (top.length >= limit && last !== undefined && !isBefore(each, last)) continue;
    const place = top.findIndex((other) => isBefore(each, other));
    top.splice(place === -1 ? top.length : place, 0, each);
    if (top.length > limit) top.pop();
  }
  return top;
}

function isBefore(one: Counted, other: Counted): boolean {
  return one.count > other.count || (one.count === other.count && one.text < other.text);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
