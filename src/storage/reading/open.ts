import { DatabaseSync } from "node:sqlite";
import { formatPartialDate } from "../../content/items/partial-date.ts";
import type {
  AdjacentItems,
  FieldRange,
  ItemSummary,
  ListPage,
  ListQuery,
  PathResolution,
  PublicMediaFile,
  PublishedIndexEntry,
  PublishedIndexOptions,
  PublishedItem,
  ReadingCopy,
  SearchPage,
  SearchQuery,
} from "../../content/library.ts";
import type { CreatorCount, CreatorQuery } from "../../content/lists/creators.ts";
import { type SiteProfile, siteProfileSchema } from "../../content/site/site.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { readItemIndexEntries, rowOfItemIndexCursor } from "../../search/postings/index-entries.ts";
import { PublishedContentSearch } from "../../search/search.ts";
import { findRowsByNamePrefix, findRowsWithSimilarNames } from "../../search/similar-names.ts";
import { SEARCH_MILLISECONDS_MAX, TimeLimit } from "../../search/time-limit.ts";
import { numberOf, type Row, textOf } from "../sqlite/columns.ts";
import { DamageError } from "../sqlite/damage.ts";
import {
  createPerTurnDataVersionReader,
  createSnapshotPerTurn,
  type SnapshotPerTurn,
} from "../sqlite/data-version.ts";
import { rowHash } from "../sqlite/row-hash.ts";
import { StatementCache } from "../sqlite/statements.ts";
import { countItemsByCreator } from "./counts/creator-counts.ts";
import { findPublicMediaFile } from "./find-public-media-file.ts";
import { resolveFormerPath } from "./former-paths.ts";
import { requireEqualHash, requireRowHash } from "./hashed-rows.ts";
import { PublishedItems } from "./items.ts";
import { PublishedItemLists } from "./lists/lists.ts";
import { countPublishedItemsByType } from "./lists/row-count-checks.ts";
import { parseContentTypes } from "./stored-types.ts";
import { UniqueNameChecker } from "./unique-names.ts";
import { MISSING_VALUE } from "./values.ts";

/**
 * Page cache of each connection. With SQLite's default of 2 MB, lists of 25 items read two thirds
 * of their pages from the file again.
 */
const CACHE_KIBIBYTES = 8000;

/**
 * Opens the reading copy in `file` on its own read-only connection. The tables must exist, so open
 * the record first. The site must be saved before `site()` is called. Searches run on this
 * connection, or through `search` if that is given.
 */
export function openReadingCopy({
  file,
  searchMillisecondsMax = SEARCH_MILLISECONDS_MAX,
  search,
}: {
  file: string;
  searchMillisecondsMax?: number;
  search?: ReadingCopy["search"];
}): ReadingCopy & Disposable {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  db.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  const timeLimit = new TimeLimit(db, searchMillisecondsMax);
  return new SqliteReadingCopy(db, { timeLimit, search, snapshots: createSnapshotPerTurn(db) });
}

/** The reading copy as seen by the connection's open transaction. */
export function openReadingCopyInTransaction(db: DatabaseSync): ReadingCopy {
  const timeLimit = new TimeLimit(db, SEARCH_MILLISECONDS_MAX);
  const snapshots = { version: createPerTurnDataVersionReader(db), end() {} };
  return new SqliteReadingCopy(db, { timeLimit, search: undefined, snapshots });
}

class SqliteReadingCopy implements ReadingCopy, Disposable {
  readonly #db: DatabaseSync;
  readonly #sql: StatementCache;
  readonly #snapshots: SnapshotPerTurn;
  readonly #items: PublishedItems;
  readonly #lists: PublishedItemLists;
  readonly #search: PublishedContentSearch;
  readonly #uniqueNames: UniqueNameChecker;
  readonly #searchElsewhere: ReadingCopy["search"] | undefined;
  #fileVersion = -1;
  #version = -1;
  #updatedAt = "";
  #siteText = "";
  #typesText = "";
  #site: SiteProfile | null = null;
  #types: ContentTypes = new Map();

  constructor(
    db: DatabaseSync,
    {
      timeLimit,
      search,
      snapshots,
    }: {
      timeLimit: TimeLimit;
      search: ReadingCopy["search"] | undefined;
      snapshots: SnapshotPerTurn;
    },
  ) {
    this.#db = db;
    this.#searchElsewhere = search;
    this.#sql = new StatementCache(db);
    this.#snapshots = snapshots;
    this.#items = new PublishedItems(this.#sql);
    this.#lists = new PublishedItemLists(this.#sql, this.#items);
    this.#search = new PublishedContentSearch(this.#sql, this.#items, timeLimit);
    this.#uniqueNames = new UniqueNameChecker(this.#sql);
  }

  [Symbol.dispose](): void {
    this.#snapshots.end();
    this.#db.close();
  }

  site(): SiteProfile {
    this.#refresh();
    if (this.#site === null) throw new Error("The reading copy has no site profile yet");
    return this.#site;
  }

  types(): ContentTypes {
    this.#refresh();
    return this.#types;
  }

  updatedAt(): string {
    this.#refresh();
    return this.#updatedAt;
  }

  version(): number {
    this.#refresh();
    return this.#version;
  }

  resolve(path: string): PathResolution {
    this.#refresh();
    // Only former addresses can have a query string, so no item can be at such a path.
    const found = path.includes("?") ? null : this.#items.atPath(path);
    if (found !== null) return { kind: "item", item: found };
    return resolveFormerPath(this.#sql, path, (row) => this.#items.pathOf(row));
  }

  medium(id: string): PublicMediaFile | null {
    return findPublicMediaFile(this.#sql, id);
  }

  list(query: ListQuery): ListPage {
    this.#refresh();
    return this.#lists.list(query);
  }

  items(query: ListQuery): ItemSummary[] {
    this.#refresh();
    return this.#lists.items(query);
  }

  adjacentItems(path: string, query: Omit<ListQuery, "limit">): AdjacentItems {
    this.#refresh();
    return this.#lists.adjacentItems(path, query);
  }

  creators(query: CreatorQuery): CreatorCount[] {
    this.#refresh();
    return countItemsByCreator({ sql: this.#sql, items: this.#items }, query);
  }

  index(options: PublishedIndexOptions = {}): Iterable<PublishedIndexEntry> {
    return readItemIndexEntries(this.#sql, options, {
      types: [...this.types().keys()],
      counts: this.counts(),
      version: () => this.version(),
    });
  }

  itemOf({ cursor }: PublishedIndexEntry): PublishedItem | null {
    this.#refresh();
    return this.#items.atRow(rowOfItemIndexCursor(cursor));
  }

  counts(): Readonly<Record<string, number>> {
    const names = [...this.types().keys()];
    const counts = countPublishedItemsByType(this.#sql);
    return Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0]));
  }

  ranges(type: string): FieldRange[] {
    const fields = Object.entries(this.types().get(type)?.fields ?? {});
    return fields.flatMap(([field, { kind, filter, sort }]) => {
      const isDate = kind === "date" || kind === "partial_date";
      if (filter !== true && sort !== true) return [];
      if (!isDate && kind !== "integer" && kind !== "number") return [];
      const shown = (value: number | null) =>
        value !== null && isDate ? formatPartialDate(value) : value;
      const min = this.#extreme(type, field, "ASC");
      return [{ field, min: shown(min), max: shown(this.#extreme(type, field, "DESC")) }];
    });
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    if (this.#searchElsewhere !== undefined) return await this.#searchElsewhere(query);
    this.#refresh();
    return this.#search.search(query, { types: this.#types, language: this.site().language });
  }

  similar(text: string, options: { type?: string; limit: number }): ItemSummary[] {
    const types = this.types();
    return this.#items.summaries(findRowsWithSimilarNames(this.#sql, text, { ...options, types }));
  }

  itemsByName(
    text: string,
    options: { type: string; isExact: boolean; limit: number },
  ): ItemSummary[] {
    this.#refresh();
    return this.#items.summaries(findRowsByNamePrefix(this.#sql, text, options));
  }

  hasUniqueName(name: string): boolean {
    this.#refresh();
    return this.#uniqueNames.has(name);
  }

  #extreme(type: string, field: string, order: "ASC" | "DESC"): number | null {
    const found = this.#sql
      .withArrayRows(
        `SELECT type, name, value, row, hash FROM reading_value
         WHERE type = ? AND name = ? AND value < ? ORDER BY value ${order} LIMIT 1`,
      )
      .get(type, field, MISSING_VALUE);
    if (found === undefined) return null;
    requireRowHash(found, 4, "reading_value");
    return numberOf(found, 2);
  }

  #requireSite({ profile = null, types = null, site_hash: stored }: Row): void {
    if (profile === this.#siteText && types === this.#typesText) return;
    // Skips the check for a site that was never saved, because it has no hash.
    if (profile === null && types === null && stored === null) return;
    requireEqualHash({ stored, found: rowHash(profile, types) }, "reading_site", 1);
  }

  #refresh(): void {
    const fileVersion = this.#snapshots.version();
    if (fileVersion === this.#fileVersion) return;
    const state = this.#sql
      .of(
        `SELECT version, updated_at, reading_state.hash AS state_hash, profile, types,
           reading_site.hash AS site_hash
         FROM reading_state CROSS JOIN reading_site`,
      )
      .get();
    // Both tables, `reading_state` and `reading_site`, have a row from the start, so a missing row
    // is a sign of damage.
    if (state === undefined) {
      throw new DamageError({ part: "reading copy", table: "reading_state", row: "1" });
    }
    const version = numberOf(state, "version");
    const updatedAt = textOf(state, "updated_at");
    requireEqualHash(
      { stored: state["state_hash"], found: rowHash(updatedAt) },
      "reading_state",
      1,
    );
    this.#requireSite(state);
    this.#fileVersion = fileVersion;
    if (version === this.#version) return;
    this.#version = version;
    this.#updatedAt = updatedAt;
    this.#items.forget();
    this.#lists.forgetTotals();
    this.#search.forget();
    this.#uniqueNames.forget();
    const { profile, types } = state;
    if (typeof profile === "string" && profile !== this.#siteText) {
      this.#siteText = profile;
      this.#site = siteProfileSchema.parse(JSON.parse(profile));
    }
    if (typeof types === "string" && types !== this.#typesText) {
      this.#typesText = types;
      this.#types = parseContentTypes(types);
      this.#lists.useTypes(this.#types);
      this.#uniqueNames.useTypes(this.#types);
    }
  }
}
