import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor, Scope } from "../../src/access/actor.ts";
import { type SavedItem, type SaveOptions, saveItem } from "../../src/content/editing/editing.ts";
import { type ItemInput, itemInputSchema } from "../../src/content/items/item.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { type SiteProfile, siteProfileSchema } from "../../src/content/site/site.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import type { ContentType } from "../../src/content/types/content-type.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { openRecord, type RecordOptions } from "../../src/storage/record/open.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { type Engine, testedEngine } from "./engine.ts";
import { createMigratedDatabase, type TestDatabase } from "./postgres-store.ts";
import { copyEmptyStore } from "./prepared-stores.ts";
import { sqliteRows } from "./sqlite-rows.ts";

export const OPERATOR: Actor = { kind: "operator" };
export const NOW = new Date("2026-11-21T12:00:00.000Z");
export const RECORD_ORIGIN = "https://quotations.example";

export const SITE: SiteProfile = siteProfileSchema.parse({
  name: "Quotations Association",
  description: "Public archive of checked quotations.",
  whenToUse: ["find a checked quotation"],
  contact: { email: "editors@quotations.example" },
});

/** The type of item that most tests use. */
export function topic(title: string, more: Partial<ItemInput> = {}): ItemInput {
  return itemInputSchema.parse({ type: "topic", title, status: "published", ...more });
}

export function keyActor(...scopes: Scope[]): Actor {
  return {
    kind: "key",
    keyId: "k1",
    name: "test",
    scopes,
    ratePerMinute: 60,
    expiresAt: null,
    networks: [],
    tools: [],
  };
}

export interface RecordStore extends AsyncDisposable {
  /** The file of the store, or of the reading copy if the record is in PostgreSQL. */
  file: string;
  /** For {@link openPlace}, which may run in another process. */
  place: string;
  record: OpenRecord;
  content: ContentRecord;
  /** The public's view, on a separate connection. */
  readonly reading: ReadingCopy;
  /** Saves as the operator. */
  save(input: ItemInput, options?: SaveOptions & { now?: Date }): Promise<SavedItem>;
  /** Runs SQL on the tables of the record, as someone outside the program would. */
  sql(query: string): Promise<Record<string, unknown>[]>;
  /** Closes everything and opens it again. */
  reopen(options?: Partial<RecordOptions>): Promise<RecordStore>;
}

/** A store with a site. It is removed at the end of the test. */
export async function openRecordStore({
  types = [],
  engine = testedEngine(),
}: {
  types?: readonly ContentType[];
  engine?: Engine;
} = {}): Promise<RecordStore> {
  const ground = await openGround(engine);
  if (engine === "SQLite") await copyEmptyStore(ground.file);
  const store = await openOn(ground, {});
  await saveSite(store.content, OPERATOR, SITE, types, NOW);
  return store;
}

/** Opens a store a second time, as another process would. */
export async function openPlace(
  place: string,
  options: Partial<RecordOptions> = {},
): Promise<OpenRecord> {
  return await openRecord({ origin: RECORD_ORIGIN, ...JSON.parse(place), ...options });
}

/** The location of a store, whether it is open or not. */
export interface Ground extends AsyncDisposable {
  file: string;
  place: string;
  url: string | null;
  database: TestDatabase | null;
}

/** An empty location for a store. It is removed at the end of the test. */
export async function openGround(engine: Engine = testedEngine()): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-record-"));
  const database = engine === "SQLite" ? null : await createMigratedDatabase();
  const file = join(folder, "data", database === null ? "commonplace.db" : "reading.db");
  const url = database?.url ?? null;
  return {
    file,
    place: JSON.stringify({ file, url }),
    url,
    database,
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openOn(ground: Ground, options: Partial<RecordOptions>): Promise<RecordStore> {
  const { file, place, url, database } = ground;
  const record = await openRecord({ file, url, origin: RECORD_ORIGIN, ...options });
  const reading = openReadingCopy({ file });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    reading[Symbol.dispose]();
    await record.close();
  };
  return {
    file,
    place,
    record,
    content: record.content,
    reading,
    save: async (input, { now = NOW, ...saveOptions } = {}) =>
      await saveItem(record.content, OPERATOR, input, now, saveOptions),
    sql: async (query) => (await database?.query(query)) ?? sqliteRows(file, query),
    async reopen(reopenOptions = {}) {
      await close();
      return await openOn(ground, reopenOptions);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await ground[Symbol.asyncDispose]();
    },
  };
}
