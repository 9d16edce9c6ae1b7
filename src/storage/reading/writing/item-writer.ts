import { type Item, SUMMARY_CHARACTERS_MAX } from "../../../content/items/item.ts";
import { SUMMARY_TEXT_CHARACTERS_MAX } from "../../../content/library.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import type { BodyRenderOptions } from "../../../render/body/body.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import { cutAtWord, dropLoneSurrogate } from "../../../search/language/folding.ts";
import { rowHash } from "../../sqlite/row-hash.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import { LISTED_ITEM_COLUMNS, UNLISTED_ITEM_COLUMNS } from "../hashed-rows.ts";
import type { StoredItem } from "../items.ts";
import { renderInSteps } from "../rendering/rendering-steps.ts";
import type { RowNumbers } from "../row-numbers.ts";
import { collectStoredValues, INSERT_VALUE_SQL, valueRowParameters } from "../values.ts";
import type { TallyWriter } from "./tally-writer.ts";

const ITEM_TABLES = [
  "reading_item",
  "reading_body",
  "reading_related",
  "reading_value",
  "reading_vector",
];

export interface WrittenItem extends StoredItem {
  /** The body as plain text. */
  text: string;
}

/** Returns the beginning of a text on one line, for use as a summary. */
function leadingText(text: string): string {
  const beginning = text.slice(0, 2 * SUMMARY_CHARACTERS_MAX).replaceAll(/\s+/g, " ");
  return cutAtWord(beginning, SUMMARY_CHARACTERS_MAX);
}

interface RenderedItem {
  type: ContentType;
  body: RenderedBody;
}

/** Writes an item's own rows: its page, and the values by which lists are sorted and filtered. */
export class ItemWriter {
  readonly #sql: StatementCache;
  readonly #rows: RowNumbers;
  readonly #rendering: BodyRenderOptions;
  readonly #tally: TallyWriter;

  constructor(
    sql: StatementCache,
    {
      rows,
      rendering,
      tally,
    }: { rows: RowNumbers; rendering: BodyRenderOptions; tally: TallyWriter },
  ) {
    this.#sql = sql;
    this.#rows = rows;
    this.#rendering = rendering;
    this.#tally = tally;
  }

  rendered({ body }: Item): ComputationSteps<RenderedBody> {
    return renderInSteps(body, this.#rendering);
  }

  /** Writes an item that has no rows yet. */
  start(row: number, item: Item, { type, body }: RenderedItem): WrittenItem {
    const written = this.#insert(row, item, body);
    this.#insertValues(row, item, type);
    return written;
  }

  /**
   * Replaces the rows of an item. Keeps its values named `count:…`, because they are derived from
   * links.
   */
  change(row: number, item: Item, rendered: RenderedItem): WrittenItem {
    // Does not use "INSERT OR REPLACE", which would delete another item at the same path.
    this.#delete("reading_item", row);
    this.#delete("reading_body", row);
    this.#tally.removing(row);
    this.#sql
      .of("DELETE FROM reading_value WHERE row = ? AND NOT (name >= 'count:' AND name < 'count;')")
      .run(row);
    return this.start(row, item, rendered);
  }

  remove(row: number): void {
    this.#tally.removing(row);
    for (const table of ITEM_TABLES) {
      this.#delete(table, row);
    }
  }

  #delete(table: string, row: number): void {
    this.#sql.of(`DELETE FROM ${table} WHERE row = ?`).run(row);
  }

  #insert(row: number, item: Item, { html, markdown, text }: RenderedBody): WrittenItem {
    const { type, path, title, language, fields, updatedAt } = item;
    const hasOwnSummary = item.summary !== "";
    const summary = hasOwnSummary ? item.summary : leadingText(text);
    const shown = dropLoneSurrogate(text.slice(0, SUMMARY_TEXT_CHARACTERS_MAX));
    const translationOf = item.translationOf === null ? null : this.#rows.of(item.translationOf);
    const publishedAt = item.publishedAt ?? updatedAt;
    const listed = [row, type, path, title, summary, language, updatedAt];
    const ownSummaryFlag = hasOwnSummary ? 1 : 0;
    const others = [
      item.id,
      ownSummaryFlag,
      translationOf,
      publishedAt,
      JSON.stringify(fields),
      shown,
    ];
    this.#sql
      .of(
        `INSERT INTO reading_item (${LISTED_ITEM_COLUMNS.join()}, ${UNLISTED_ITEM_COLUMNS.join()}, listed_hash, hash)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(...listed, ...others, rowHash(...listed), rowHash(...listed, ...others));
    const rest = text.slice(shown.length);
    this.#sql
      .of("INSERT INTO reading_body VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(
        row,
        html,
        markdown,
        rest,
        rowHash(row, html),
        rowHash(row, markdown),
        rowHash(row, rest),
      );
    const itemFacts = { type, path, title, summary, language, fields, publishedAt, updatedAt };
    return { row, type, translationOf, text, facts: { ...itemFacts, text: shown } };
  }

  #insertValues(row: number, item: Item, type: ContentType): void {
    const insert = this.#sql.of(INSERT_VALUE_SQL);
    for (const [name, value] of collectStoredValues(item, type)) {
      insert.get(...valueRowParameters(item.type, { name, value, row }));
      this.#tally.added(type, name, value);
    }
  }
}
