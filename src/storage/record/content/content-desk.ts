import {
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type {
  ContentDesk,
  ItemColumns,
  ItemCursor,
  ItemQuery,
  RevisionSummary,
} from "../../../content/editing/desk.ts";
import type { ItemOutline } from "../../../content/items/item.ts";
import type { Redirect } from "../../../content/record.ts";
import { queryInSlices } from "../batches.ts";
import { countItems } from "../item-counts.ts";
import type { ItemRow, RecordTables } from "../tables.ts";
import { outlineFromRow, VERIFIED_OUTLINE_COLUMNS } from "./outline-rows.ts";
import { redirectFromRow } from "./redirect-rows.ts";

/** Ids sort by creation time, so the sort `created` uses the column `id`. */
const SORT_COLUMNS = {
  updated: "updated_at",
  created: "id",
  title: "title",
  path: "path",
} as const;

/**
 * Up to this number of matching items, reading and sorting all of them is cheaper than reading
 * items in the order of an index.
 */
const GATHERED_ITEMS_MAX = 2000;
/** Sort orders that have an index for the items of one type. */
const TYPE_SORTS: ReadonlySet<ItemQuery["sort"]> = new Set(["updated", "title"]);
const TYPE_AND_STATUS: ReadonlySet<keyof ItemRow> = new Set(["type", "status"]);

export class KyselyContentDesk implements ContentDesk {
  readonly #db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.#db = db;
  }

  async list(
    query: ItemQuery,
  ): Promise<{ items: ItemOutline[]; total: number; next: ItemCursor | null }> {
    const column = SORT_COLUMNS[query.sort];
    const order = query.descending ? "desc" : "asc";
    const total = await totalOf(this.#db, query);
    const hidden = columnsToHide(query, total);
    const found = filtered(this.#db.selectFrom("items"), query, hidden);
    const rows = await afterCursor(found, query, hidden)
      .select(VERIFIED_OUTLINE_COLUMNS)
      .orderBy(reference(column, hidden), order)
      .orderBy("id", order)
      .limit(query.limit + 1)
      .execute();
    const shown = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(outlineFromRow),
      total,
      next: last === undefined ? null : [last[column], last.id],
    };
  }

  async outlines(ids: readonly string[]): Promise<ReadonlyMap<string, ItemOutline>> {
    const rows = await queryInSlices(
      [...new Set(ids)],
      async (some) =>
        await this.#db
          .selectFrom("items")
          .select(VERIFIED_OUTLINE_COLUMNS)
          .where("id", "in", some)
          .execute(),
    );
    return new Map(rows.map((row) => [row.id, outlineFromRow(row)]));
  }

  async columns(ids: readonly string[]): Promise<ReadonlyMap<string, ItemColumns>> {
    const [rows, links] = await Promise.all([
      queryInSlices(
        ids,
        async (some) =>
          await this.#db
            .selectFrom("items")
            .select(["id", "fields"])
            .where("id", "in", some)
            .execute(),
      ),
      queryInSlices(
        ids,
        async (some) =>
          await this.#db
            .selectFrom("relations")
            .innerJoin("items", "items.id", "relations.to_id")
            .select(["from_id", "relation", "items.title"])
            .where("from_id", "in", some)
            .orderBy("from_id")
            .orderBy("relation")
            .orderBy("position")
            .execute(),
      ),
    ]);
    const linksByItem = Map.groupBy(links, ({ from_id }) => from_id);
    return new Map(
      rows.map(({ id, fields }) => [id, columnsOf(fields, linksByItem.get(id) ?? [])]),
    );
  }

  async incoming(id: string): Promise<{ relation: string; total: number }[]> {
    return await this.#db
      .selectFrom("relations")
      .select((relations) => ["relation", relations.fn.countAll<number>().as("total")])
      .where("to_id", "=", id)
      .where("from_id", "not in", (relations) =>
        relations
          .selectFrom("items")
          .select("items.id")
          .where("items.status", "=", sql.lit("deleted"))
          .where("items.revision", ">", sql.lit(0)),
      )
      .groupBy("relation")
      .orderBy("relation")
      .execute();
  }

  async pathsTo(id: string): Promise<{ path: string; isRedirect: boolean }[]> {
    const rows = await this.#db
      .selectFrom("path_claims")
      .leftJoin("redirects", "redirects.path", "path_claims.path")
      .select(["path_claims.path", "redirects.id as redirect"])
      .where("path_claims.item_id", "=", id)
      .where("path_claims.is_current", "=", sql.lit(0))
      .orderBy("path_claims.path")
      .execute();
    return rows.map(({ path, redirect }) => ({ path, isRedirect: redirect !== null }));
  }

  /** Omits redirects whose path now belongs to an item. */
  async redirects({
    from,
    after = "",
    limit,
  }: {
    from?: string;
    after?: string;
    limit: number;
  }): Promise<Redirect[]> {
    const rows = await this.#db
      .selectFrom("redirects")
      .selectAll("redirects")
      .leftJoin("path_claims", "path_claims.path", "redirects.path")
      .where((row) =>
        row.or([row("path_claims.is_current", "is", null), row("path_claims.is_current", "=", 0)]),
      )
      .where("redirects.id", ">", after)
      .$if(from !== undefined, (found) => found.where("redirects.path", "=", from ?? ""))
      .orderBy("redirects.id")
      .limit(limit)
      .execute();
    return rows.map(redirectFromRow);
  }

  async lastChange(): Promise<number> {
    const { rows } = await sql<{ last: number | null }>`
      select max(number) as last from desk_changes`.execute(this.#db);
    return rows[0]?.last ?? 0;
  }

  async revisionHeads(
    id: string,
    { before, limit }: { before?: number; limit: number },
  ): Promise<RevisionSummary[]> {
    const all = this.#db
      .selectFrom("revisions")
      .select(["revision", "at", "actor", "action"])
      .where("item_id", "=", id)
      .orderBy("revision", "desc")
      .limit(limit);
    return await (before === undefined ? all : all.where("revision", "<", before)).execute();
  }
}

type Items = SelectQueryBuilder<RecordTables, "items", object>;

/**
 * Returns the number of matching items. If there is a stored count for the query, checks the count for
 * damage and returns it.
 */
async function totalOf(db: Kysely<RecordTables>, query: ItemQuery): Promise<number> {
  if (!hasFurtherFilters(query)) return await countItems(db, query);
  const { total } = await filtered(db.selectFrom("items"), query, columnsToHide(query, null))
    .select((items) => items.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

function hasFurtherFilters(query: ItemQuery): boolean {
  return query.updatedSince !== undefined || hasNarrowFilters(query);
}

/** Whether the query has filters that only few items match. */
function hasNarrowFilters(query: ItemQuery): boolean {
  const { path, sourceKey, translationOf, relatedTo, reviewBefore } = query;
  const narrow = [path, sourceKey, translationOf, relatedTo, reviewBefore];
  return narrow.some((filter) => filter !== undefined);
}

/**
 * Columns whose indexes SQLite must not use. SQLite's planner does not know how many items a type or
 * status has, so it would use these indexes where they are slow.
 * @param total the number of matching items; null if it is not known yet.
 */
function columnsToHide(query: ItemQuery, total: number | null): ReadonlySet<keyof ItemRow> {
  const sortColumn = SORT_COLUMNS[query.sort];
  if (hasNarrowFilters(query)) return new Set([...TYPE_AND_STATUS, sortColumn]);
  if (total !== null && total <= GATHERED_ITEMS_MAX && query.updatedSince === undefined) {
    return new Set([sortColumn]);
  }
  const hasTypeIndex = query.types.length === 1 && TYPE_SORTS.has(query.sort);
  return hasTypeIndex ? new Set(["status"]) : TYPE_AND_STATUS;
}

/**
 * SQL for a column of `items`. If the column is in `hidden`, SQL for an expression that hides the
 * column from the planner.
 */
function reference(column: keyof ItemRow, hidden: ReadonlySet<keyof ItemRow>): RawBuilder<string> {
  return hidden.has(column) ? sql`coalesce(${sql.ref(column)}, '')` : sql`${sql.ref(column)}`;
}

function filtered(items: Items, query: ItemQuery, hidden: ReadonlySet<keyof ItemRow>): Items {
  const { types, statuses, language, path, sourceKey, translationOf, updatedSince } = query;
  const { relatedTo, reviewBefore } = query;
  return items
    .$if(types.length > 0, (found) => found.where(reference("type", hidden), "in", types))
    .$if(statuses.length > 0, (found) => found.where(reference("status", hidden), "in", statuses))
    .$if(language !== undefined, (found) => found.where("language", "=", language ?? ""))
    .$if(path !== undefined, (found) => found.where("path", "=", path ?? ""))
    .$if(sourceKey !== undefined, (found) => found.where("source_key", "=", sourceKey ?? ""))
    .$if(translationOf !== undefined, (found) =>
      found.where("translation_of", "=", translationOf ?? ""),
    )
    .$if(updatedSince !== undefined, (found) => found.where("updated_at", ">=", updatedSince ?? ""))
    .$if(reviewBefore !== undefined, (found) => found.where("review_at", "<", reviewBefore ?? ""))
    .$if(relatedTo !== undefined, (found) =>
      found.where("id", "in", (row) => relatedItems(row, relatedTo ?? "", query.relation)),
    );
}

function relatedItems(
  row: ExpressionBuilder<RecordTables, "items">,
  target: string,
  relation: string | undefined,
) {
  const related = row.selectFrom("relations").select("from_id").where("to_id", "=", target);
  return relation === undefined ? related : related.where("relation", "=", relation);
}

function afterCursor(
  items: Items,
  { sort, descending, after }: ItemQuery,
  hidden: ReadonlySet<keyof ItemRow>,
): Items {
  if (after === undefined) return items;
  const [value, id] = after;
  const place = sql`(${reference(SORT_COLUMNS[sort], hidden)}, id)`;
  const operator = descending ? sql`<` : sql`>`;
  return items.where(sql<boolean>`${place} ${operator} (${value}, ${id})`);
}

function columnsOf(
  fields: string,
  links: readonly { relation: string; title: string }[],
): ItemColumns {
  const byRelation = Map.groupBy(links, ({ relation }) => relation);
  const linkedTitles = new Map(
    [...byRelation].map(([relation, each]) => [relation, each.map(({ title }) => title)]),
  );
  return { fields: JSON.parse(fields), linkedTitles };
}
