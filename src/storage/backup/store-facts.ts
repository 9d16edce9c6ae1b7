import { DatabaseSync } from "node:sqlite";
import { MEDIA_KINDS, mediaFileName } from "../../content/media/media-kinds.ts";

export interface SiteAndMediaNames {
  /** Name of the site; null if the store has none. */
  site: string | null;
  /** Names of all media files that the store lists. */
  media: string[];
}

/** Reads a verified store that is not in use. It may be from an earlier version. */
export function readSiteAndMediaNames(file: string): SiteAndMediaNames {
  using db = new DatabaseSync(file, { readOnly: true });
  const hasMedia = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'media'").get();
  const media = hasMedia === undefined ? [] : db.prepare("SELECT id, type FROM media").all();
  const site = db
    .prepare("SELECT value ->> 'name' AS name FROM settings WHERE name = 'site'")
    .get();
  return {
    site: typeof site?.["name"] === "string" ? site["name"] : null,
    media: media
      .map(({ id, type }) => ({ id: String(id), type: String(type) }))
      .filter((medium) => MEDIA_KINDS.some(({ type }) => type === medium.type))
      .map(mediaFileName),
  };
}
