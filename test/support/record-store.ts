import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor, Scope } from "../../src/access/actor.ts";
import type { ContentType } from "../../src/content/content-type.ts";
import { type SavedItem, type SaveOptions, saveItem } from "../../src/content/editing.ts";
import { type ItemInput, itemInputSchema } from "../../src/content/item.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { type SiteProfile, siteProfileSchema } from "../../src/content/site.ts";
import { saveSite } from "../../src/content/site-saving.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { openRecord, type RecordOptions } from "../../src/storage/record/open.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";

export const OPERATOR: Actor = { kind: "operator" };
export const NOW = new Date("2026-11-21T12:00:00.000Z");
export const RECORD_ORIGIN = "https://quotations.example";

export const SITE: SiteProfile = siteProfileSchema.parse({
  name: "Quotations Association",
  description: "Public archive of checked quotations.",
  whenToUse: ["find a checked quotation"],
  contact: { email: "editors@quotations.example" },
});

/** The type of item most tests speak of. */
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
  };
}

export interface RecordStore extends AsyncDisposable {
  file: string;
  record: OpenRecord;
  content: ContentRecord;
  /** The public's view of the same file, on a connection of its own. */
  reading: ReadingCopy;
  /** Saves as the operator. */
  save(input: ItemInput, options?: SaveOptions & { now?: Date }): Promise<SavedItem>;
  /** Closes everything and opens it again. */
  reopen(options?: Partial<RecordOptions>): Promise<RecordStore>;
}

/** A store with a site on a file of its own, gone with the test. */
export async function openRecordStore({
  types = [],
}: {
  types?: readonly ContentType[];
} = {}): Promise<RecordStore> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-record-"));
  const store = await openAt(folder, {});
  await saveSite(store.content, OPERATOR, SITE, types, NOW);
  return store;
}

async function openAt(folder: string, options: Partial<RecordOptions>): Promise<RecordStore> {
  const file = join(folder, "data", "commonplace.db");
  const record = await openRecord({ file, origin: RECORD_ORIGIN, ...options });
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
    record,
    content: record.content,
    reading,
    save: async (input, { now = NOW, ...saveOptions } = {}) =>
      await saveItem(record.content, OPERATOR, input, now, saveOptions),
    async reopen(reopenOptions = {}) {
      await close();
      return await openAt(folder, reopenOptions);
    },
    async [Symbol.asyncDispose]() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
