import type { Kysely } from "kysely";
import type { DraftStores } from "../../../content/drafts/saving.ts";
import type { ReadingCopy } from "../../../content/library.ts";
import type { ReadingOverlay } from "../../reading/overlay.ts";
import type { ChangeLogEntry } from "../../reading/writing/changes.ts";
import type { Follower } from "../../replica/follower.ts";
import { SettingsCache } from "../content/content-queries.ts";
import { previewPublicChanges } from "../preview.ts";
import type { RecordTables } from "../tables.ts";
import { buildLogEntry } from "./changes/entries.ts";

interface PreviewParts {
  reader: Kysely<RecordTables>;
  origin: string;
  follower: Follower | null;
  overlay: ReadingOverlay;
}

interface PreviewedChange<T> {
  change: (stores: DraftStores) => Promise<unknown>;
  look: (reading: ReadingCopy) => Promise<T>;
}

/** Shows a change on this instance's reading copy without storing it. */
export async function previewOnReadingCopy<T>(
  { reader, origin, follower, overlay }: PreviewParts,
  { change, look }: PreviewedChange<T>,
): Promise<T> {
  if (follower === null) throw new Error("No reading copy is kept here to look at");
  const entry = await previewEntry(reader, origin, change);
  // The copy must include everything the change is based on.
  await follower.untilCurrent();
  return await overlay.run(async ({ apply }) => await look(await apply(entry)));
}

async function previewEntry(
  reader: Kysely<RecordTables>,
  origin: string,
  change: (stores: DraftStores) => Promise<unknown>,
): Promise<ChangeLogEntry> {
  const snapshot = await reader
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    const declared = new SettingsCache();
    const changes = await previewPublicChanges(snapshot, { origin, declared }, change);
    return await buildLogEntry(snapshot, changes, false);
  } finally {
    await snapshot.rollback().execute();
  }
}
