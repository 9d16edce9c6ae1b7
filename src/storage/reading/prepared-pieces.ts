import type { ContentType, RelationView } from "../../content/content-type.ts";
import type {
  ItemSummary,
  ListQuery,
  Prepared,
  PreparedCards,
  PreparedForm,
  PreparedItem,
} from "../../content/library.ts";
import { numberOf, type Row, textOf } from "./columns.ts";
import type { Items } from "./items.ts";
import type { Lists } from "./lists.ts";
import type { Statements } from "./statements.ts";

interface Part {
  form: PreparedForm;
  limit: number;
  offset: number;
}

/** In the order of the index over targets, which is that in which the items were added. */
const GROUP = {
  html: groupSql("html"),
  markdown: groupSql("markdown"),
};

/** By a value that is looked up for all of them. */
const SORTED_GROUP = {
  html: sortedGroupSql("html"),
  markdown: sortedGroupSql("markdown"),
};
/** From so many on it is cheaper to walk the wanted order. */
const SORTED_ITEMS_MAX = 2000;

/** Of rows in a given order. */
const ROWS = {
  html: rowsSql("html"),
  markdown: rowsSql("markdown"),
};

/** Reads what `PieceWriter` put together. */
export class PreparedPieces implements Prepared {
  readonly #sql: Statements;
  readonly #items: Items;
  readonly #lists: Lists;
  readonly #types: () => ReadonlyMap<string, ContentType>;

  /** `types` brings everything up to date, too. */
  constructor(
    sql: Statements,
    {
      items,
      lists,
      types,
    }: { items: Items; lists: Lists; types: () => ReadonlyMap<string, ContentType> },
  ) {
    this.#sql = sql;
    this.#items = items;
    this.#lists = lists;
    this.#types = types;
  }

  item(path: string): PreparedItem | null {
    this.#types();
    return this.#items.atPath(path);
  }

  summaryAt(path: string): ItemSummary | null {
    this.#types();
    const row = this.#items.rowAt(path);
    return row === null ? null : (this.#items.summaries([row])[0] ?? null);
  }

  group(of: PreparedItem, view: RelationView, part: Part): PreparedCards {
    const { form, limit, offset } = part;
    const { relation, otherType } = view;
    const sort = this.#types().get(otherType)?.defaultSort ?? "title";
    if (sort === "added") {
      const sql = this.#sql.of(GROUP[form]);
      return cardsOf(sql.get(of.row, relation, otherType, limit, offset) ?? {});
    }
    if ((of.item.counts[view.name] ?? 0) <= SORTED_ITEMS_MAX) {
      const sql = this.#sql.of(SORTED_GROUP[form]);
      return cardsOf(sql.get(sort, of.row, relation, otherType, limit, offset) ?? {});
    }
    const links = [{ direction: "in" as const, relation, anchors: [of.item.path] }];
    return this.#listed({ ...listOf(otherType, sort), links, limit, offset }, form, {
      relation,
      target: of.row,
    });
  }

  #listed(
    query: ListQuery,
    form: PreparedForm,
    under: { relation: string; target: number },
  ): PreparedCards {
    const rows = JSON.stringify(this.#lists.rows(query));
    return cardsOf(this.#sql.of(ROWS[form]).get(rows, under.relation, under.target) ?? {});
  }
}

function listOf(type: string, sort: string) {
  return { types: [type], filters: [], links: [], sort, descending: false };
}

function groupSql(form: PreparedForm): string {
  return joined(
    form,
    `SELECT c.${form} || c.words || c.${form}_rest || coalesce(l.${form}_basis, '') || c.${form}_end AS card, c.updated_at
     FROM reading_link l INDEXED BY reading_link_target
     CROSS JOIN reading_card c ON c.row = l.source
     WHERE l.target = ? AND l.relation = ? AND l.source_type = ?
     ORDER BY l.source LIMIT ? OFFSET ?`,
  );
}

function sortedGroupSql(form: PreparedForm): string {
  return joined(
    form,
    `SELECT c.${form} || c.words || c.${form}_rest || coalesce(l.basis, '') || c.${form}_end AS card, c.updated_at
     FROM (SELECT l.source AS row, l.${form}_basis AS basis
           FROM reading_link l INDEXED BY reading_link_target
           CROSS JOIN reading_value s ON s.row = l.source AND s.name = ?
           WHERE l.target = ? AND l.relation = ? AND l.source_type = ?
           ORDER BY s.value, s.row LIMIT ? OFFSET ?) l
     CROSS JOIN reading_card c ON c.row = l.row`,
  );
}

function rowsSql(form: PreparedForm): string {
  return joined(
    form,
    `SELECT c.${form} || c.words || c.${form}_rest || coalesce(l.${form}_basis, '') || c.${form}_end AS card, c.updated_at
     FROM json_each(?) r CROSS JOIN reading_card c ON c.row = r.value
     LEFT JOIN reading_link l ON l.source = c.row AND l.relation = ? AND +l.target = ?`,
  );
}

/** Cards of HTML follow each other; in Markdown a mark stands between, for the blank of the list. */
function joined(form: PreparedForm, cards: string): string {
  const between = form === "html" ? "''" : "char(1)";
  return `SELECT CAST(group_concat(card, ${between}) AS BLOB) AS cards, count(*) AS shown,
      max(updated_at) AS updated_at FROM (${cards})`;
}

function cardsOf(found: Row): PreparedCards {
  const shown = numberOf(found, "shown");
  if (shown === 0) return { bytes: "", shown, updatedAt: "" };
  return { bytes: bytesOf(found, "cards"), shown, updatedAt: textOf(found, "updated_at") };
}

function bytesOf(found: Row, column: string): string {
  const value = found[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} is not a blob`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1");
}
