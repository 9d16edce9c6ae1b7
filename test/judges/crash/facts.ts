import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mediaFileIdFromHash, mediaFileName } from "../../../src/content/media/media-kinds.ts";
import { isShared } from "./disk.ts";

/** The content of a site without what differs between runs: ids, times, secrets. */
export interface Facts {
  /** By path. */
  items: Record<string, { title: string; status: string; revision: number; hash: string }>;
  /** Ids of the site's files. */
  media: readonly string[];
  /** The missing or damaged ones of `media`. */
  lost: readonly string[];
  keys: readonly string[];
  redirects: readonly string[];
  jobs: readonly string[];
  /** A hash of everything above, and of the profile, types and revisions of the site. */
  all: string;
}

/** Reads a store that no process has open, and the folder with its files. */
export function readFacts(store: string, mediaFolder: string): Facts {
  using db = new DatabaseSync(store, { readOnly: true });
  const lines = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => JSON.stringify(row));
  const items = db
    .prepare(
      "SELECT path, title, status, revision, type, summary, body, fields, language, source_key FROM items ORDER BY path",
    )
    .all();
  const media = db.prepare("SELECT id, type FROM media ORDER BY id").all();
  const files = media.map(({ id, type }) => ({ id: String(id), type: String(type) }));
  const facts = {
    items: Object.fromEntries(
      items.map((item) => [
        String(item["path"]),
        {
          title: String(item["title"]),
          status: String(item["status"]),
          revision: Number(item["revision"]),
          hash: hashOf(JSON.stringify(item)),
        },
      ]),
    ),
    media: files.map(({ id }) => id),
    keys: lines("SELECT name, scopes, revoked_at IS NULL AS works FROM keys ORDER BY name"),
    redirects: lines("SELECT path, to_path FROM redirects ORDER BY path"),
    jobs: lines("SELECT kind FROM jobs ORDER BY id"),
  };
  const rest = [
    ...lines("SELECT name, value FROM settings WHERE name IN ('site', 'types') ORDER BY name"),
    ...lines(
      "SELECT path, r.revision, action FROM revisions r JOIN items ON id = item_id ORDER BY path, r.revision",
    ),
    ...lines("SELECT id, name, alt, credit FROM media ORDER BY id"),
  ];
  return {
    ...facts,
    lost: files
      .filter((file) => !isWhole(join(mediaFolder, mediaFileName(file)), file.id))
      .map(({ id }) => id),
    all: hashOf(JSON.stringify([facts, rest])),
  };
}

function isWhole(file: string, id: string): boolean {
  return existsSync(file) && mediaFileIdFromHash(hashOf(readFileSync(file))) === id;
}

export interface TreeEntry {
  /** Path below the folder. */
  path: string;
  mode: number;
  /** Null for a folder. */
  sha256: string | null;
}

export function readTree(folder: string): TreeEntry[] {
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => ({ entry, full: join(entry.parentPath, entry.name) }))
      .map(({ entry, full }) => ({ entry, full, path: full.slice(folder.length + 1) }))
      // Left out before they are read, because SQLite removes them while it closes.
      .filter(({ path }) => !isShared(path))
      .map(({ entry, full, path }) => ({
        path,
        mode: lstatSync(full).mode & 0o777,
        sha256: entry.isDirectory() ? null : hashOf(readFileSync(full)),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  );
}

function hashOf(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
