import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { CompiledQuery, Kysely } from "kysely";
import { z } from "zod";
import type { UtcDayRange } from "../../../access/days.ts";
import {
  type DailyViewCount,
  type PathViewCount,
  VIEW_KINDS,
  type ViewCountStore,
} from "../../../access/views.ts";
import type { Connections } from "../connections.ts";
import type { RecordTables } from "../tables.ts";

/** Limit on the paths stored per day and kind of view. The most viewed paths are kept. */
const PATHS_PER_DAY_MAX = 2000;
/** A day can exceed the limit by this many paths before its paths are trimmed. */
const PATHS_BETWEEN_TRIMS = 500;
const ROWS_PER_STATEMENT = 200;
/** Value of the column `path` in the row that counts all views of a kind. */
const ALL_PATHS = "";

const kindSchema = z.enum(VIEW_KINDS);

export class KyselyViewCountStore implements ViewCountStore {
  readonly #connections: Connections;
  /**
   * Compiled statements, keyed by the number of rows that each inserts. They are cached, because compiling
   * a statement takes longer than running it.
   */
  readonly #additions = new Map<number, CompiledQuery>();
  #addedSinceTrim = PATHS_BETWEEN_TRIMS;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async add(days: readonly DailyViewCount[], paths: readonly PathViewCount[]): Promise<void> {
    this.#addedSinceTrim += paths.length;
    const isTrimDue = this.#addedSinceTrim >= PATHS_BETWEEN_TRIMS;
    const rows = [...days.map((day) => ({ ...day, path: ALL_PATHS })), ...paths.map(storable)];
    await this.#connections.transact(async (db) => {
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await this.#addRows(db, rows.slice(at, at + ROWS_PER_STATEMENT));
      }
      if (!isTrimDue) return;
      for (const { day, kind } of days) await trim(db, day, kind);
    });
    if (isTrimDue) this.#addedSinceTrim = 0;
  }

  async #addRows(db: Kysely<RecordTables>, rows: readonly PathViewCount[]): Promise<void> {
    const addition = this.#additions.get(rows.length) ?? additionOf(db, rows);
    this.#additions.set(rows.length, addition);
    const parameters = rows.flatMap(({ day, kind, path, count }) => [day, kind, path, count]);
    await db.executeQuery({ ...addition, parameters });
  }

  async days({ since, until }: UtcDayRange): Promise<DailyViewCount[]> {
    const rows = await this.#connections.reader
      .selectFrom("views")
      .select(["day", "kind", "count"])
      .where("day", ">=", since)
      .where("day", "<=", until)
      .where("path", "=", ALL_PATHS)
      .orderBy("day")
      .orderBy("kind")
      .execute();
    return rows.map(({ kind, ...row }) => ({ ...row, kind: kindSchema.parse(kind) }));
  }

  async pathsOfDay(day: string): Promise<PathViewCount[]> {
    const rows = await this.#connections.reader
      .selectFrom("views")
      .selectAll()
      .where("day", "=", day)
      .where("path", "!=", ALL_PATHS)
      .execute();
    await yieldToEventLoop();
    return rows.map(({ kind, ...row }) => ({ ...row, kind: kindSchema.parse(kind) }));
  }

  async forget({ paths, totals }: { paths: string; totals: string }): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .deleteFrom("views")
        .where("day", "<", paths)
        .where("path", "!=", ALL_PATHS)
        .execute();
      await db.deleteFrom("views").where("day", "<", totals).execute();
    });
  }
}

/** Replaces characters that SQLite and PostgreSQL store differently. */
function storable(views: PathViewCount): PathViewCount {
  return { ...views, path: views.path.toWellFormed().replaceAll("\0", "\uFFFD") };
}

function additionOf(db: Kysely<RecordTables>, rows: readonly PathViewCount[]): CompiledQuery {
  return db
    .insertInto("views")
    .values(rows.map(({ day, kind, path, count }) => ({ day, kind, path, count })))
    .onConflict((conflict) =>
      conflict.columns(["day", "kind", "path"]).doUpdateSet(({ eb, ref }) => ({
        count: eb(ref("views.count"), "+", ref("excluded.count")),
      })),
    )
    .compile();
}

async function trim(db: Kysely<RecordTables>, day: string, kind: string): Promise<void> {
  const all = db.selectFrom("views").where("day", "=", day).where("kind", "=", kind);
  // Keeps one more row than `PATHS_PER_DAY_MAX`: the row with the total has the highest count.
  const kept = all
    .select("path")
    .orderBy("count", "desc")
    .orderBy("path")
    .limit(PATHS_PER_DAY_MAX + 1);
  await db
    .deleteFrom("views")
    .where("day", "=", day)
    .where("kind", "=", kind)
    .where("path", "!=", ALL_PATHS)
    .where("path", "not in", kept)
    .execute();
}
