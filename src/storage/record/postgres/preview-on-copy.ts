import type { ReadingCopy } from "../../../content/library.ts";
import type { LoggedProjection } from "../../logged-projection.ts";
import type { Follower } from "../../replica/follower.ts";
import type { Connections } from "../connections.ts";
import { preview } from "../preview.ts";
import { changeInTransaction, type RecordStores, type StoreParts } from "../stores.ts";

interface Previewing extends Pick<StoreParts, "version" | "declared"> {
  projection: LoggedProjection;
}

interface PreviewedChange<T> {
  change: (stores: RecordStores) => Promise<unknown>;
  look: (reading: ReadingCopy) => Promise<T>;
}

/** Shows a change on the reading copy of this instance, and rolls back both. */
export async function previewOnCopy<T>(
  connections: Connections,
  { shared, follower }: { shared: Previewing; follower: Follower | null },
  { change, look }: PreviewedChange<T>,
): Promise<T> {
  const { projection } = shared;
  return await preview(
    connections,
    async (db) => {
      projection.begin(db);
      await changeInTransaction(db, shared, change);
    },
    async () => {
      if (follower === null) throw new Error("No reading copy is kept here to look at");
      return await follower.preview(await projection.entry(), look);
    },
  );
}
