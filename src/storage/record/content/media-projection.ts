import type { Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import { extractMediaPathsById } from "../../../content/media/media-kinds.ts";
import type { Redirect } from "../../../content/record.ts";
import type { Projection } from "../../projection.ts";
import type { RecordTables } from "../tables.ts";
import { readPublicMediaAmong } from "./public-media.ts";

/**
 * Publishes or withdraws files according to their current uses. Call before projecting the items that
 * show them.
 */
export async function projectMedia(
  db: Kysely<RecordTables>,
  projection: Projection,
  ids: ReadonlySet<string>,
): Promise<void> {
  if (ids.size === 0) return;
  const publicMedia = await readPublicMediaAmong(db, [...ids]);
  for (const medium of publicMedia) projection.putMedium(medium);
  const publicIds = new Set(publicMedia.map(({ id }) => id));
  for (const id of ids) if (!publicIds.has(id)) projection.removeMedium(id);
}

interface Change {
  item: Item;
  before: Item | null;
}

/** Files that these changes may publish or withdraw. */
export function mediaIdsOfChanges(changes: readonly Change[]): ReadonlySet<string> {
  const states = changes.flatMap(({ item, before }) => (before === null ? [item] : [item, before]));
  const published = states.filter(({ status }) => status === "published");
  return new Set(published.flatMap((item) => [...extractMediaPathsById(item).keys()]));
}

/**
 * The id of the file to which a redirect leads; empty if the redirect leads elsewhere. Redirects from old
 * addresses of pictures lead to files.
 */
export function mediaIdsOfRedirect({ to }: Redirect): ReadonlySet<string> {
  return to !== null && "path" in to ? mediaIdsLinkedInText(to.path) : new Set();
}

/** Files to which a text links. The text need not be Markdown: it can be JSON, such as settings. */
export function mediaIdsLinkedInText(text: string): ReadonlySet<string> {
  return new Set(extractMediaPathsById({ body: text, fields: {} }).keys());
}
