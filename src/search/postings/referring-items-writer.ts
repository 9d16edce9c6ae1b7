import type { ContentTypes } from "../../content/types/content-type.ts";
import { readRowBatchesLinkingTo } from "../../storage/reading/referrers.ts";
import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import type { ItemWithChangedNames, NameUpdatingIndexWriter } from "./index-writer.ts";
import {
  extractSearchableValues,
  joinNamesAndTitles,
  type SearchWriter,
  titlesOfRows,
} from "./search-writer.ts";

/** Number of items whose names are read per step. */
const STEP_ITEMS = 100;
/** The cached titles take about 10 MB. */
const TITLES_MAX = 50_000;

/**
 * Updates the indexed names of items when the titles of linked items change, without reading the
 * texts of the items. Buffers changes until {@link ReferringItemNamesWriter.flush}.
 */
export class ReferringItemNamesWriter {
  readonly #sql: StatementCache;
  readonly #index: NameUpdatingIndexWriter | null;
  readonly #search: SearchWriter;
  /**
   * Former titles of changed items, keyed by row. The index still has the former title in the entry of each
   * item that links to a changed item.
   */
  readonly #titlesBefore = new Map<number, string>();
  /** Current titles of published items, cached so that most are read only once. */
  readonly #titles = new Map<number, string>();

  constructor(
    sql: StatementCache,
    { index, search }: { index: NameUpdatingIndexWriter | null; search: SearchWriter },
  ) {
    this.#sql = sql;
    this.#index = index;
    this.#search = search;
  }

  /**
   * Notes that an item was retitled, published or withdrawn. `titleBefore` is empty if the item was not
   * published.
   */
  noteTitleChange(row: number, titleBefore: string): void {
    if (this.#index !== null) this.#titlesBefore.set(row, titleBefore);
  }

  /**
   * Updates the names of the items that link to changed items. Call after writing the items and links of a
   * batch, and before flushing the search writer.
   */
  *flush(types: ContentTypes): Generator<void> {
    const index = this.#index;
    if (index === null) return;
    const referrers = new Set<number>();
    for (const target of this.#titlesBefore.keys()) {
      for (const sources of readRowBatchesLinkingTo(this.#sql, target)) {
        for (const row of sources) if (!this.#search.hasPut(row)) referrers.add(row);
        yield;
      }
    }
    const rows = [...referrers];
    for (let from = 0; from < rows.length; from += STEP_ITEMS) {
      const items = this.#renamedTexts(rows.slice(from, from + STEP_ITEMS), types);
      for (const row of yield* index.rename(items)) this.#search.reindex(row);
    }
    this.discard();
  }

  discard(): void {
    this.#titlesBefore.clear();
    this.#titles.clear();
  }

  #renamedTexts(rows: readonly number[], types: ContentTypes): ItemWithChangedNames[] {
    const targets = this.#targetsOf(rows);
    const items = this.#sql
      .of(
        `SELECT row, type, language, fields FROM reading_item
         WHERE row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
    return items.flatMap((item): ItemWithChangedNames[] => {
      const type = types.get(textOf(item, "type"));
      if (type === undefined) return [];
      const row = numberOf(item, "row");
      const linkedRows = targets.get(row) ?? [];
      const titles = linkedRows.map((target) => this.#titles.get(target) ?? "");
      const titlesBefore = linkedRows.map(
        (target, at) => this.#titlesBefore.get(target) ?? titles[at] ?? "",
      );
      const fields = extractSearchableValues(type, JSON.parse(textOf(item, "fields")));
      const names = {
        namesBefore: joinNamesAndTitles(fields, titlesBefore),
        names: joinNamesAndTitles(fields, titles),
      };
      return [{ row, language: textOf(item, "language"), ...names }];
    });
  }

  /** The rows to which each of these rows links. Caches the titles of the targets. */
  #targetsOf(rows: readonly number[]): ReadonlyMap<number, readonly number[]> {
    const found = this.#sql
      .of(
        `SELECT DISTINCT l.source, l.target FROM json_each(?) s
         CROSS JOIN reading_link l ON l.source = s.value`,
      )
      .all(JSON.stringify(rows));
    const targets = new Map<number, number[]>();
    for (const link of found) {
      const linkedRows = targets.get(numberOf(link, "source")) ?? [];
      linkedRows.push(numberOf(link, "target"));
      targets.set(numberOf(link, "source"), linkedRows);
    }
    if (this.#titles.size > TITLES_MAX) this.#titles.clear();
    const uncachedTargets = [...targets.values()]
      .flat()
      .filter((target) => !this.#titles.has(target));
    for (const [row, title] of titlesOfRows(this.#sql, uncachedTargets))
      this.#titles.set(row, title);
    return targets;
  }
}
