import type { DatabaseSync } from "node:sqlite";
import type { ContentType, ContentTypes } from "../../content/content-type.ts";
import { cutAtWord, wholeCharacters } from "../../content/folding.ts";
import { type Item, SUMMARY_CHARACTERS_MAX } from "../../content/item.ts";
import { SUMMARY_TEXT_CHARACTERS_MAX } from "../../content/library.ts";
import type { Medium } from "../../content/media.ts";
import type { SiteProfile } from "../../content/site.ts";
import { renderBody } from "../../render/body.ts";
import { numberOf, textOf } from "./columns.ts";
import { LinkWriter } from "./link-writer.ts";
import { Pictures } from "./pictures.ts";
import { SearchWriter } from "./search-writer.ts";
import { Statements } from "./statements.ts";
import { parseTypes, serializeTypes, shapeOf } from "./stored-types.ts";
import { MISSING, storedValues } from "./values.ts";

/**
 * Keeps the reading copy in step with the record. Every call belongs into the write transaction of
 * the change it mirrors, on the same connection.
 */
export interface ReadingWriter {
  /** Shows a published item, or its new state. Call {@link ReadingWriter.redirect} for its old path. */
  put(item: Item): void;
  /** Takes an item away; its path answers 410 when `gone`, and otherwise as if it had never been. */
  retire(item: Item, gone: boolean): void;
  /** From now on `from` leads to wherever the item stands; an item put at `from` takes it back. */
  redirect(from: string, toItemId: string): void;
  /** From now on items that are put show this of the file. */
  putMedium(medium: Medium): void;
  removeMedium(id: string): void;
  /**
   * @returns whether the types changed so that everything published has to be put again; if that
   * does not happen now, `ensureSchema` asks for it at the next start.
   */
  saveSite(profile: SiteProfile, types: ContentTypes): boolean;
}

export function createReadingWriter(
  db: DatabaseSync,
  { origin }: { origin: string },
): ReadingWriter {
  return new SqliteReadingWriter(db, origin);
}

class SqliteReadingWriter implements ReadingWriter {
  readonly #sql: Statements;
  readonly #links: LinkWriter;
  readonly #search: SearchWriter;
  readonly #pictures: Pictures;
  readonly #origin: string;
  #typesText = "";
  #types: ContentTypes = new Map();

  constructor(db: DatabaseSync, origin: string) {
    this.#sql = new Statements(db);
    this.#links = new LinkWriter(this.#sql);
    this.#search = new SearchWriter(this.#sql);
    this.#pictures = new Pictures(this.#sql);
    this.#origin = origin;
  }

  put(item: Item): void {
    const types = this.#currentTypes();
    const type = types.get(item.type);
    if (type === undefined) throw new Error(`Content type ${item.type} is not declared`);
    const row = this.#links.rowOf(item.id);
    const before = this.#published(row);
    if (before !== null && before.type !== item.type) this.#remove(row, before.type);
    this.#clearPath(item.path, row);
    this.#putItem(row, item);
    this.#putValues(row, item, type);
    if (before?.type !== item.type) this.#count(item.type, 1);
    this.#links.put(row, item, types);
    this.#search.put(row, type);
    if (before?.title !== item.title) this.#putAgainWhatNames(row);
    this.#touch(item.updatedAt);
  }

  retire(item: Item, gone: boolean): void {
    const row = this.#links.rowOf(item.id);
    const before = this.#published(row);
    if (before !== null) {
      this.#remove(row, before.type);
      this.#putAgainWhatNames(row);
    }
    this.#sql.of("DELETE FROM reading_path WHERE row = ? AND gone_title IS NOT NULL").run(row);
    if (gone) {
      this.#sql
        .of("INSERT OR REPLACE INTO reading_path VALUES (?, ?, ?, ?)")
        .run(item.path, row, item.title, item.type);
    }
    this.#touch(item.updatedAt);
  }

  redirect(from: string, toItemId: string): void {
    const row = this.#links.rowOf(toItemId);
    this.#sql.of("INSERT OR REPLACE INTO reading_path VALUES (?, ?, NULL, NULL)").run(from, row);
    this.#touch("");
  }

  putMedium(medium: Medium): void {
    this.#pictures.put(medium);
  }

  removeMedium(id: string): void {
    this.#pictures.remove(id);
  }

  saveSite(profile: SiteProfile, types: ContentTypes): boolean {
    const before = this.#currentTypes();
    const isStale = before.size > 0 && shapeOf(before) !== shapeOf(types) && this.#hasItems();
    this.#sql
      .of("UPDATE reading_site SET profile = ?, types = ?, stale = max(stale, ?)")
      .run(JSON.stringify(profile), serializeTypes(types), isStale ? 1 : 0);
    this.#touch("");
    return isStale;
  }

  #putItem(row: number, item: Item): void {
    const { html, markdown, text } = renderBody(item.body, {
      origin: this.#origin,
      findPicture: this.#pictures.find,
    });
    const shown = wholeCharacters(text.slice(0, SUMMARY_TEXT_CHARACTERS_MAX));
    const translationOf =
      item.translationOf === null ? null : this.#links.rowOf(item.translationOf);
    // Not "INSERT OR REPLACE", which would take another item away that stands at the path.
    this.#sql.of("DELETE FROM reading_item WHERE row = ?").run(row);
    this.#sql
      .of("INSERT INTO reading_item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        row,
        item.id,
        item.type,
        item.path,
        item.title,
        item.summary === "" ? cutAtWord(text, SUMMARY_CHARACTERS_MAX) : item.summary,
        item.summary === "" ? 0 : 1,
        item.language,
        translationOf,
        item.publishedAt ?? item.updatedAt,
        item.updatedAt,
        JSON.stringify(item.fields),
        shown,
      );
    this.#sql
      .of("INSERT OR REPLACE INTO reading_body VALUES (?, ?, ?, ?)")
      .run(row, html, markdown, text.slice(shown.length));
  }

  /** Counts are kept by the links, hence left alone. */
  #putValues(row: number, item: Item, type: ContentType): void {
    this.#sql
      .of("DELETE FROM reading_value WHERE row = ? AND NOT (name >= 'count:' AND name < 'count;')")
      .run(row);
    const insert = this.#sql.of("INSERT INTO reading_value VALUES (?, ?, ?, ?)");
    for (const [name, value] of storedValues(item, type)) {
      insert.run(item.type, name, value ?? MISSING, row);
    }
  }

  #remove(row: number, type: string): void {
    for (const table of ["reading_item", "reading_body", "reading_value"]) {
      this.#sql.of(`DELETE FROM ${table} WHERE row = ?`).run(row);
    }
    this.#links.remove(row, type, this.#currentTypes());
    this.#search.remove(row);
    this.#count(type, -1);
  }

  /** The item now stands at this path: nothing else may answer there, nor its being gone. */
  #clearPath(path: string, row: number): void {
    this.#sql
      .of("DELETE FROM reading_path WHERE path = ? OR (row = ? AND gone_title IS NOT NULL)")
      .run(path, row);
  }

  /** Items are found by the titles of those they point at. */
  #putAgainWhatNames(row: number): void {
    const sources = this.#sql
      .of(
        `SELECT DISTINCT l.source, i.type FROM reading_link l
         CROSS JOIN reading_item i ON i.row = l.source WHERE l.target = ?`,
      )
      .all(row);
    for (const source of sources) {
      const type = this.#currentTypes().get(textOf(source, "type"));
      if (type !== undefined) this.#search.put(numberOf(source, "source"), type);
    }
  }

  #published(row: number): { type: string; title: string } | null {
    const found = this.#sql.of("SELECT type, title FROM reading_item WHERE row = ?").get(row);
    if (found === undefined) return null;
    return { type: textOf(found, "type"), title: textOf(found, "title") };
  }

  #hasItems(): boolean {
    return this.#sql.of("SELECT 1 FROM reading_item LIMIT 1").get() !== undefined;
  }

  #count(type: string, change: number): void {
    this.#sql
      .of(
        `INSERT INTO reading_count VALUES (?, ?)
         ON CONFLICT DO UPDATE SET items = items + excluded.items`,
      )
      .run(type, change);
  }

  #touch(updatedAt: string): void {
    this.#sql
      .of(
        "UPDATE reading_state SET version = version + 1, updated_at = max(updated_at, ?) WHERE one = 1",
      )
      .run(updatedAt);
  }

  /** Read anew whenever they differ: the transaction that declared them may have been rolled back. */
  #currentTypes(): ContentTypes {
    const stored = this.#sql.of("SELECT types FROM reading_site").get()?.["types"];
    if (typeof stored === "string" && stored !== this.#typesText) {
      this.#typesText = stored;
      this.#types = parseTypes(stored);
    }
    return this.#types;
  }
}
