import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Insertable, Kysely } from "kysely";
import { z } from "zod";
import {
  type DailySearchCount,
  SEARCH_SOURCES,
  type SearchCountStore,
  type SearchTextCount,
} from "../../../search/search-log.ts";
import type { Connections } from "../connections.ts";
import type { RecordTables, SearchCountRow } from "../tables.ts";

/** Limit on the search texts stored per day. The most frequent texts are kept. */
const TEXTS_PER_DAY_MAX = 2000;
/** A day can exceed the limit by this many texts before its texts are trimmed. */
const TEXTS_BETWEEN_TRIMS = 200;
const ROWS_PER_STATEMENT = 100;

const sourceSchema = z.enum(SEARCH_SOURCES);

export class KyselySearchCountStore implements SearchCountStore {
  readonly #connections: Connections;
  #addedSinceTrim = TEXTS_BETWEEN_TRIMS;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async add(days: readonly DailySearchCount[], texts: readonly SearchTextCount[]): Promise<void> {
    this.#addedSinceTrim += texts.length;
    const isTrimDue = this.#addedSinceTrim >= TEXTS_BETWEEN_TRIMS;
    await this.#connections.transact(async (db) => {
      await addDays(db, days);
      for (let at = 0; at < texts.length; at += ROWS_PER_STATEMENT) {
        await addTexts(db, texts.slice(at, at + ROWS_PER_STATEMENT));
      }
      if (!isTrimDue) return;
      for (const day of new Set(days.map(({ day }) => day))) await trim(db, day);
    });
    if (isTrimDue) this.#addedSinceTrim = 0;
  }

  async days({ since, until }: { since: string; until: string }): Promise<DailySearchCount[]> {
    const rows = await this.#connections.reader
      .selectFrom("search_days")
      .selectAll()
      .where("day", ">=", since)
      .where("day", "<=", until)
      .orderBy("day")
      .orderBy("source")
      .execute();
    return rows.map(({ day, source, searches, without_result }) => ({
      day,
      source: sourceSchema.parse(source),
      searches,
      withoutResult: without_result,
    }));
  }

  async textsOfDay(day: string): Promise<SearchTextCount[]> {
    const rows = await this.#connections.reader
      .selectFrom("searches")
      .selectAll()
      .where("day", "=", day)
      .execute();
    await yieldToEventLoop();
    return rows.map(({ source, query, count, hits }) => ({
      day,
      source: sourceSchema.parse(source),
      text: query,
      count,
      hits,
    }));
  }

  async forget({ texts, counts }: { texts: string; counts: string }): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("searches").where("day", "<", texts).execute();
      await db.deleteFrom("search_days").where("day", "<", counts).execute();
    });
  }
}

async function addDays(db: Kysely<RecordTables>, days: readonly DailySearchCount[]): Promise<void> {
  await db
    .insertInto("search_days")
    .values(
      days.map(({ day, source, searches, withoutResult }) => ({
        day,
        source,
        searches,
        without_result: withoutResult,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["day", "source"]).doUpdateSet(({ eb, ref }) => ({
        searches: eb(ref("search_days.searches"), "+", ref("excluded.searches")),
        without_result: eb(ref("search_days.without_result"), "+", ref("excluded.without_result")),
      })),
    )
    .execute();
}

/**
 * Adds counts of search texts. Merges duplicates, which an upsert rejects, and replaces characters
 * that SQLite and PostgreSQL store differently.
 */
async function addTexts(
  db: Kysely<RecordTables>,
  texts: readonly SearchTextCount[],
): Promise<void> {
  const rows = new Map<string, Insertable<SearchCountRow>>();
  for (const { text, ...rest } of texts) {
    const query = text.toWellFormed().replaceAll("\0", "\uFFFD");
    const key = JSON.stringify([rest.day, rest.source, query]);
    const count = rest.count + (rows.get(key)?.count ?? 0);
    rows.set(key, { ...rest, query, count });
  }
  await db
    .insertInto("searches")
    .values([...rows.values()])
    .onConflict((conflict) =>
      conflict.columns(["day", "source", "query"]).doUpdateSet(({ eb, ref }) => ({
        count: eb(ref("searches.count"), "+", ref("excluded.count")),
        hits: ref("excluded.hits"),
      })),
    )
    .execute();
}

/** Keeps the most frequent texts, and the latest of equally frequent ones. */
async function trim(db: Kysely<RecordTables>, day: string): Promise<void> {
  const kept = db
    .selectFrom("searches")
    .select("number")
    .where("day", "=", day)
    .orderBy("count", "desc")
    .orderBy("number", "desc")
    .limit(TEXTS_PER_DAY_MAX);
  await db.deleteFrom("searches").where("day", "=", day).where("number", "not in", kept).execute();
}
