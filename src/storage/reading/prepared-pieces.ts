import type { ContentType, RelationView } from "../../content/content-type.ts";
import type {
  ItemSummary,
  Prepared,
  PreparedCards,
  PreparedForm,
  PreparedItem,
  PreparedPart,
} from "../../content/library.ts";
import { betweenCards, languageMark } from "../../render/pieces.ts";
import { numberOf, type Row, textOf } from "./columns.ts";
import type { Items } from "./items.ts";
import type { Lists } from "./lists.ts";
import type { Statements } from "./statements.ts";

const HTML_BYTES = "CAST(c.html AS BLOB)";

/** The card of an item that is, or is not, in the language of the site, on a page that is not, or is. */
const WITH_MARKS = `substr(${HTML_BYTES}, 1, c.words_at) || iif(c.words_at = 0, '', c.mark) ||
  substr(${HTML_BYTES}, c.words_at + 1, c.name_at - c.words_at) || c.mark ||
  substr(${HTML_BYTES}, c.name_at + 1)`;
const WORDS_START = "iif(c.words_at = 0, 0, c.words_at + length(c.mark))";
const WITHOUT_MARKS = `substr(${HTML_BYTES}, 1, c.words_at) ||
  substr(${HTML_BYTES}, ${WORDS_START} + 1, c.name_at - ${WORDS_START}) ||
  substr(${HTML_BYTES}, c.name_at + length(c.mark) + 1)`;

/** Most pages are in the language of the site, for which cards are written; ?1 is the mark of the page's. */
const CARD = {
  html: `CASE WHEN (c.mark = ?1) <> c.is_marked THEN c.html
    WHEN c.is_marked THEN ${WITHOUT_MARKS} ELSE ${WITH_MARKS} END
    || coalesce(l.html_basis, '') || c.html_end`,
  markdown: "c.markdown || coalesce(l.markdown_basis, '') || c.markdown_end",
};

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

  group(of: PreparedItem, view: RelationView, part: PreparedPart): PreparedCards {
    const { form, limit, offset } = part;
    const { relation, otherType } = view;
    const types = this.#types();
    const sort = types.get(otherType)?.defaultSort ?? "title";
    const fit = [languageMark(part.language), betweenCards(form, types, otherType)] as const;
    if (sort === "added") {
      const sql = this.#sql.listing(GROUP[form]);
      return cardsOf(sql.get(...fit, of.row, relation, otherType, limit, offset) ?? {});
    }
    if ((of.item.counts[view.name] ?? 0) <= SORTED_ITEMS_MAX) {
      const sql = this.#sql.listing(SORTED_GROUP[form]);
      return cardsOf(sql.get(...fit, of.row, relation, otherType, limit, offset, sort) ?? {});
    }
    const links = [{ direction: "in" as const, relation, anchors: [of.item.path] }];
    const rows = this.#lists.rows({ ...listOf(otherType, sort), links, limit, offset });
    const sql = this.#sql.listing(ROWS[form]);
    return cardsOf(sql.get(...fit, of.row, relation, JSON.stringify(rows)) ?? {});
  }
}

function listOf(type: string, sort: string) {
  return { types: [type], filters: [], links: [], sort, descending: false };
}

function groupSql(form: PreparedForm): string {
  return joined(
    `SELECT ${CARD[form]} AS card, c.updated_at
     FROM reading_link l INDEXED BY reading_link_target
     CROSS JOIN reading_card c ON c.row = l.source
     WHERE l.target = ?3 AND l.relation = ?4 AND l.source_type = ?5
     ORDER BY l.source LIMIT +?6 OFFSET +?7`,
  );
}

function sortedGroupSql(form: PreparedForm): string {
  return joined(
    `SELECT ${CARD[form]} AS card, c.updated_at
     FROM (SELECT l.source AS row, l.html_basis, l.markdown_basis
           FROM reading_link l INDEXED BY reading_link_target
           CROSS JOIN reading_value s ON s.row = l.source AND s.name = ?8
           WHERE l.target = ?3 AND l.relation = ?4 AND l.source_type = ?5
           ORDER BY s.value, s.row LIMIT +?6 OFFSET +?7) l
     CROSS JOIN reading_card c ON c.row = l.row`,
  );
}

function rowsSql(form: PreparedForm): string {
  return joined(
    `SELECT ${CARD[form]} AS card, c.updated_at
     FROM json_each(?5) r CROSS JOIN reading_card c ON c.row = r.value
     LEFT JOIN reading_link l ON l.source = c.row AND l.relation = ?4 AND +l.target = ?3`,
  );
}

function joined(cards: string): string {
  return `SELECT CAST(group_concat(card, ?2) AS BLOB), count(*), max(updated_at) FROM (${cards})`;
}

/** In what is joined. */
const [CARDS, SHOWN, UPDATED_AT] = [0, 1, 2] as const;

function cardsOf(found: Row): PreparedCards {
  const shown = numberOf(found, SHOWN);
  if (shown === 0) return { bytes: NO_BYTES, shown, updatedAt: "" };
  const bytes = found[CARDS];
  if (!(bytes instanceof Uint8Array)) throw new TypeError("Cards are not a blob");
  return { bytes, shown, updatedAt: textOf(found, UPDATED_AT) };
}

const NO_BYTES = new Uint8Array();
