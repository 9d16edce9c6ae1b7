import type { ContentReader } from "../content/record.ts";
import { foldText } from "../search/language/folding.ts";
import type { DailySearchCount, SearchCountStore } from "../search/search-log.ts";
import { type Actor, requireScope } from "./actor.ts";
import {
  COUNT_RETENTION_DAYS,
  iterateDaysLatestFirst,
  type UtcDayRange,
  utcDayBefore,
} from "./days.ts";
import type { KeyUseStore } from "./keys/key-use.ts";
import type { KeyReader } from "./keys/keys.ts";
import { findMostFrequentTexts, textCountsFromMap } from "./most-frequent.ts";
import { readViewStatistics, type ViewCountStore, type ViewStatistics } from "./views.ts";

export interface StatisticsStores {
  keys: KeyReader;
  keyUse: KeyUseStore;
  searches: SearchCountStore;
  views: ViewCountStore;
}

export interface SearchStatistics {
  total: number;
  withoutResult: number;
  byDay: DailySearchCount[];
  /** The most frequent searches; `hits` is the highest number of hits that the search had. */
  top: { text: string; count: number; hits: number }[];
  /** Searches that found nothing in the period, most frequent first. */
  topWithoutResult: { text: string; count: number }[];
}

export interface KeyUseStatistics {
  total: number;
  byDay: { day: string; count: number }[];
  byKey: { keyId: string; name: string; count: number }[];
  byTool: { tool: string; count: number }[];
}

export interface SiteStatistics {
  searches: SearchStatistics;
  use: KeyUseStatistics;
  views: ViewStatistics;
}

/**
 * Reads searches, views and key use in a period; lists have at most `limit` entries. Reads one day
 * at a time and yields to the event loop in between.
 *
 * @throws {AppError} `forbidden`, `unauthenticated`.
 */
export async function readSiteStatistics(
  stores: StatisticsStores,
  actor: Actor,
  { limit, ...period }: UtcDayRange & { limit: number },
): Promise<SiteStatistics> {
  requireScope(actor, "audit:read");
  return {
    searches: await searchStatistics(stores.searches, period, limit),
    use: await useStatistics(stores, period, limit),
    views: await readViewStatistics(stores.views, period, limit),
  };
}

/**
 * Numbers of page views and of calls with keys, for each day, oldest day first. @throws {AppError}
 * `forbidden`.
 */
export async function readDailyViewsAndCalls(
  { keyUse, views }: Pick<StatisticsStores, "keyUse" | "views">,
  actor: Actor,
  period: UtcDayRange,
): Promise<Record<"views" | "calls", { day: string; count: number }[]>> {
  requireScope(actor, "audit:read");
  const [days, calls] = await Promise.all([views.days(period), keyUse.totals(period)]);
  return { views: days.filter(({ kind }) => kind === "page"), calls };
}

/** Deletes counts of searches, views and key use that are older than their retention periods. */
export async function purgeOldStatistics(
  {
    content,
    keyUse,
    searches,
    views,
  }: Pick<StatisticsStores, "keyUse" | "searches" | "views"> & {
    content: Pick<ContentReader, "site">;
  },
  now: Date,
): Promise<void> {
  const countsBefore = utcDayBefore(now, COUNT_RETENTION_DAYS);
  await keyUse.forget(countsBefore);
  const site = await content.site();
  if (site === null) return;
  const detailsBefore = utcDayBefore(now, site.retention.statisticsDays);
  await searches.forget({ counts: countsBefore, texts: detailsBefore });
  await views.forget({ totals: countsBefore, paths: detailsBefore });
}

async function searchStatistics(
  searches: SearchCountStore,
  period: UtcDayRange,
  limit: number,
): Promise<SearchStatistics> {
  const byDay = await searches.days(period);
  const all = await searchedTexts(searches, period);
  const withoutHits = all.filter(({ hits }) => hits === 0);
  return {
    total: sumOfCounts(byDay.map((day) => day.searches)),
    withoutResult: sumOfCounts(byDay.map((day) => day.withoutResult)),
    byDay,
    top: findMostFrequentTexts(all, limit),
    topWithoutResult: findMostFrequentTexts(withoutHits, limit).map(({ text, count }) => ({
      text,
      count,
    })),
  };
}

/**
 * Combines the counts of searches that differ only in case or accents. The most frequent spelling is shown.
 */
async function searchedTexts(
  searches: SearchCountStore,
  period: UtcDayRange,
): Promise<{ text: string; count: number; hits: number }[]> {
  const texts = new Map<string, { spellings: Map<string, number>; hits: number }>();
  for (const day of iterateDaysLatestFirst(period)) {
    for (const { text, count, hits } of await searches.textsOfDay(day)) {
      const key = foldText(text);
      const known = texts.get(key) ?? { spellings: new Map<string, number>(), hits: 0 };
      known.spellings.set(text, (known.spellings.get(text) ?? 0) + count);
      texts.set(key, { ...known, hits: Math.max(known.hits, hits) });
    }
  }
  return [...texts.values()].map(({ spellings, hits }) => {
    const [commonest = { text: "" }] = findMostFrequentTexts(textCountsFromMap(spellings), 1);
    return { text: commonest.text, count: sumOfCounts([...spellings.values()]), hits };
  });
}

async function useStatistics(
  { keys, keyUse }: StatisticsStores,
  period: UtcDayRange,
  limit: number,
): Promise<KeyUseStatistics> {
  const days = new Map<string, number>();
  const keyIds = new Map<string, number>();
  const tools = new Map<string, number>();
  for (const day of iterateDaysLatestFirst(period)) {
    for (const { keyId, tool, count } of await keyUse.ofDay(day)) {
      days.set(day, (days.get(day) ?? 0) + count);
      keyIds.set(keyId, (keyIds.get(keyId) ?? 0) + count);
      tools.set(tool, (tools.get(tool) ?? 0) + count);
    }
  }
  const byKey: KeyUseStatistics["byKey"] = [];
  for (const { text: keyId, count } of findMostFrequentTexts(textCountsFromMap(keyIds), limit)) {
    byKey.push({ keyId, name: (await keys.byId(keyId))?.name ?? "", count });
  }
  return {
    total: sumOfCounts([...days.values()]),
    byDay: [...days].reverse().map(([day, count]) => ({ day, count })),
    byKey,
    byTool: findMostFrequentTexts(textCountsFromMap(tools), limit).map(({ text, count }) => ({
      tool: text,
      count,
    })),
  };
}

function sumOfCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
