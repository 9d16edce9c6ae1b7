import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { DraftedItemParts } from "../content/drafts/draft.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { pathExists } from "../files/durable-files.ts";
import {
  openBaseForReading,
  openBaseForWriting,
  rejectSymbolicLinks,
  SYNC_BASE_FILE,
} from "./base-database.ts";

/** The state of an item when folder and site were last in sync, without its text. */
export interface SyncBaseRow {
  id: string;
  file: string;
  path: string;
  /** Hash of the text; see {@link textHash}. */
  hash: string;
  /** Whether a conflict is unresolved. */
  isInConflict: boolean;
}

export interface SyncBaseTexts {
  /** The item as a file; empty if folder and site were never in sync. */
  text: string;
  /** The site's text in a conflict, as the copy shows it; null: no conflict. */
  conflict: string | null;
}

/** The parts of settings or redirects when folder and site were last in sync. */
export interface SyncBaseParts {
  parts: DraftedItemParts;
  /** The order of the types that the site declares. */
  typeOrder: readonly string[];
  /**
   * During a conflict, the copies that show the site's text, and the parts of the site that the copies
   * show. Null: no conflict.
   */
  conflict: { copies: readonly string[]; seen: DraftedItemParts } | null;
}

/** Stores the state of each item when folder and site were last in sync. */
export interface SyncBase extends Disposable {
  rows(): SyncBaseRow[];
  texts(id: string): SyncBaseTexts;
  put(row: Pick<SyncBaseRow, "id" | "file" | "path"> & SyncBaseTexts): void;
  remove(id: string): void;
  /** @returns null if folder and site were never in sync. */
  baseParts(group: string): SyncBaseParts | null;
  putBaseParts(group: string, parts: SyncBaseParts): void;
}

/** Name of the folder with the base; imports ignore it. */
export const SYNC_BASE_FOLDER = ".commonplace";

const rowSchema = z.object({
  id: z.string(),
  file: z.string(),
  path: z.string(),
  hash: z.string(),
  isInConflict: z.int().transform((value) => value === 1),
});
const textsSchema = z.object({ text: z.string(), conflict: z.string().nullable() });
const partsSchema = z.record(z.string(), z.unknown());
const basePartsSchema = z.object({
  parts: partsSchema,
  typeOrder: z.array(z.string()),
  conflict: z.object({ copies: z.array(z.string()), seen: partsSchema }).nullable(),
});
const basePartsRowSchema = z.object({ value: z.string() }).optional();
const siteSchema = z.object({ id: z.string() }).optional();

/**
 * Opens the base that is stored in a folder, and locks the base until disposal. A dry run only reads
 * the base.
 *
 * @param siteId the site that the folder is synced with.
 * @throws {AppError} `conflict` if another process has the base open, or if it belongs to another site.
 */
export async function openSyncBase(
  folder: string,
  { siteId, isDryRun }: { siteId: string; isDryRun: boolean },
): Promise<SyncBase> {
  rejectSymbolicLinks(folder);
  const db = isDryRun ? await openBaseForReading(folder) : await openBaseForWriting(folder);
  try {
    const known = siteSchema.parse(db.prepare("SELECT id FROM site").get());
    if (known === undefined) {
      if (!isDryRun) db.prepare("INSERT INTO site VALUES (?)").run(siteId);
    } else if (known.id !== siteId) {
      const message = `${folder} was made for another site: choose another folder, or remove it to compare this site with all files`;
      throw new AppError("conflict", englishOnlyWording(message));
    }
    return isDryRun ? dryRunBase(baseOn(db)) : baseOn(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The id of the site that a folder is synced with; null: none. */
export async function readSiteIdOfBase(folder: string): Promise<string | null> {
  if (!(await pathExists(join(folder, SYNC_BASE_FILE)))) return null;
  const db = await openBaseForReading(folder);
  try {
    return siteSchema.parse(db.prepare("SELECT id FROM site").get())?.id ?? null;
  } finally {
    db.close();
  }
}

function baseOn(db: DatabaseSync): SyncBase {
  const rows = db.prepare(
    "SELECT id, file, path, hash, conflict IS NOT NULL AS isInConflict FROM items ORDER BY file",
  );
  const texts = db.prepare("SELECT text, conflict FROM items WHERE id = ?");
  const put = db.prepare("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM items WHERE id = ?");
  const baseParts = db.prepare("SELECT value FROM agreed WHERE name = ?");
  const putBaseParts = db.prepare("INSERT OR REPLACE INTO agreed VALUES (?, ?)");
  return {
    rows: () => rows.all().map((row) => rowSchema.parse(row)),
    texts: (id) => textsSchema.parse(texts.get(id)),
    put({ id, file, path, text, conflict }) {
      put.run(id, file, path, textHash(text), text, conflict);
    },
    remove(id) {
      remove.run(id);
    },
    baseParts(group) {
      const row = basePartsRowSchema.parse(baseParts.get(group));
      return row === undefined ? null : basePartsSchema.parse(JSON.parse(row.value));
    },
    putBaseParts(group, value) {
      putBaseParts.run(group, JSON.stringify(value));
    },
    [Symbol.dispose]: () => db.close(),
  };
}

/** For a dry run: reads the base and ignores changes. */
function dryRunBase(base: SyncBase): SyncBase {
  return {
    ...base,
    put: () => {},
    remove: () => {},
    putBaseParts: () => {},
    [Symbol.dispose]: () => base[Symbol.dispose](),
  };
}

/** SHA-256 in hexadecimal digits. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
