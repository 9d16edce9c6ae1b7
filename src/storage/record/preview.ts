import type { Kysely } from "kysely";
import type { DraftStores } from "../../content/drafts/saving.ts";
import { loggedProjection } from "../logged-projection.ts";
import type { ReadingChange } from "../reading/writing/changes.ts";
import { withRenderingBeforeCheck } from "../rendering-before-check.ts";
import { createTransactionConnections } from "./connections.ts";
import { ContentBatch } from "./content/content-batch.ts";
import type { SettingsCache } from "./content/content-queries.ts";
import { PreviewTransaction } from "./content/preview-transaction.ts";
import { KyselyDraftStore } from "./drafts/drafts.ts";
import type { RecordTables } from "./tables.ts";

/**
 * Returns the public changes that would result from changes to items. Stores nothing.
 *
 * @param db reads a snapshot, so that drafts and their items are consistent.
 */
export async function previewPublicChanges(
  db: Kysely<RecordTables>,
  { origin, declared }: { origin: string; declared: SettingsCache },
  change: (stores: DraftStores) => Promise<unknown>,
): Promise<ReadingChange[]> {
  const projection = loggedProjection({ origin });
  const content = new PreviewTransaction(db, {
    projection: withRenderingBeforeCheck(projection),
    declared,
  });
  const batch = new ContentBatch(content);
  await change({ content: batch, drafts: new PreviewedDrafts(createTransactionConnections(db)) });
  await batch.flush();
  content.finish();
  return projection.take();
}

/**
 * A draft store that does not remove drafts. Publishing removes a draft, but a preview of publishing
 * must not.
 */
class PreviewedDrafts extends KyselyDraftStore {
  override async remove(): Promise<void> {}
}
