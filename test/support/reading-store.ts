import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Item } from "../../src/content/items/item.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { siteProfileSchema } from "../../src/content/site/site.ts";
import { BUILT_IN_TYPES } from "../../src/content/types/built-in.ts";
import type {
  ContentType,
  ContentTypes,
  FieldValue,
} from "../../src/content/types/content-type.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { isLargeText, largeTextRenderer } from "../../src/storage/reading/rendering/large-texts.ts";
import { ensureSchema } from "../../src/storage/reading/schema.ts";
import type { ReadingWriter } from "../../src/storage/reading/writing/reading-writer.ts";
import { createReadingWriter } from "../../src/storage/reading/writing/writer.ts";
import { incrementCommitCount } from "../../src/storage/sqlite/data-version.ts";

export const ORIGIN = "https://quotations.example";

const SITE = siteProfileSchema.parse({
  name: "Quotations",
  description: "A society that keeps quotations.",
  whenToUse: ["to find a quotation"],
  contact: { email: "office@quotations.example" },
});

export interface PutOptions {
  /** The present path; absent: the path that identifies the item in this test. */
  at?: string;
  title?: string;
  body?: string;
  summary?: string;
  fields?: Record<string, FieldValue>;
  /** Paths of the target items, which need not exist yet. */
  relations?: Record<string, readonly (string | { to: string; note: string | null })[]>;
  language?: string;
  translationOf?: string;
  updatedAt?: string;
}

export interface ReadingStore extends Disposable {
  file: string;
  db: DatabaseSync;
  writer: ReadingWriter;
  /** Flushes what was put with `writer` itself. */
  flush(): void;
  reading: ReadingCopy;
  types: ContentTypes;
  /** Puts an item. Its id is derived from the first path at which it was put. */
  put(type: string, path: string, options?: PutOptions): Item;
  retire(path: string, gone: boolean): void;
  /** Flushes once at the end of `work`, as the record does. */
  transaction(work: () => void): void;
}

/** Only a reading copy, on a separate file. Tests put items by hand that the record would project. */
export function openReading(
  extraTypes: readonly ContentType[] = [],
  {
    file = join(mkdtempSync(join(tmpdir(), "reading-")), "commonplace.db"),
    ...options
  }: { file?: string; searchMillisecondsMax?: number } = {},
): ReadingStore {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  ensureSchema(db, { origin: ORIGIN });
  const writer = createReadingWriter(db, { origin: ORIGIN });
  const types = new Map([...BUILT_IN_TYPES, ...extraTypes].map((type) => [type.name, type]));
  writer.saveSite(SITE, types);
  const reading = openReadingCopy({ file, ...options });
  const items = new Map<string, Item>();
  let isBatch = false;
  const flush = () => {
    for (const _step of writer.finish());
    incrementCommitCount();
  };
  return {
    file,
    db,
    writer,
    flush,
    reading,
    types,
    put(type, path, options = {}) {
      const item = itemOf(type, path, options);
      items.set(path, item);
      writer.put(item);
      if (!isBatch) flush();
      return item;
    },
    retire(path, gone) {
      const item = items.get(path);
      if (item === undefined) throw new Error(`${path} was never put`);
      writer.retire(item, gone);
      if (!isBatch) flush();
    },
    transaction(work) {
      db.exec("BEGIN IMMEDIATE");
      isBatch = true;
      work();
      isBatch = false;
      flush();
      db.exec("COMMIT");
    },
    [Symbol.dispose]() {
      reading[Symbol.dispose]();
      db.close();
      rmSync(join(file, ".."), { recursive: true });
    },
  };
}

/** Renders a text in the rendering thread if it is large, so that it can be put synchronously. */
export async function renderFirst(body: string): Promise<void> {
  if (isLargeText(body)) await largeTextRenderer.render(body, { origin: ORIGIN });
}

/** An item as the record would store it. Its id is derived from the path. */
export function itemOf(type: string, path: string, options: PutOptions): Item {
  const relations = Object.entries(options.relations ?? {}).map(([name, links]) => [
    name,
    links.map((link) =>
      typeof link === "string" ? { to: idOf(link), note: null } : { ...link, to: idOf(link.to) },
    ),
  ]);
  return {
    id: idOf(path),
    type,
    path: options.at ?? path,
    title: options.title ?? path.slice(path.lastIndexOf("/") + 1),
    summary: options.summary ?? "",
    body: options.body ?? "",
    fields: options.fields ?? {},
    relations: Object.fromEntries(relations),
    language: options.language ?? "en",
    translationOf: options.translationOf === undefined ? null : idOf(options.translationOf),
    status: "published",
    publishAt: null,
    expireAt: null,
    reviewAt: null,
    publishedAt: options.updatedAt ?? "2026-01-01T00:00:00.000Z",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: options.updatedAt ?? "2026-01-01T00:00:00.000Z",
    revision: 1,
    sourceKey: null,
  };
}

export function idOf(path: string): string {
  return `id:${path}`;
}
