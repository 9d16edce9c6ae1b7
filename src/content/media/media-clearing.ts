import type { MediaFiles, MediaReader, MediaStore } from "./media.ts";
import { mediumFile, readMediumFile } from "./media-kinds.ts";

/**
 * Deletes withdrawn files from the folder. In one transaction, so that a file that is published again
 * meanwhile stays.
 */
export async function removeWithdrawn(store: MediaStore, files: MediaFiles): Promise<void> {
  const removed = await store.removed();
  if (removed.length === 0) return;
  await store.write(async (transaction) => {
    for (const medium of removed) {
      if ((await transaction.medium(medium.id)) === null) await files.remove(mediumFile(medium));
      await transaction.forgetRemoved(medium.id);
    }
  });
}

/**
 * Moves files that the record does not know to the trash, and those that it knows back. An unknown
 * file came there by a crash before its entry, or belongs to another record.
 */
export async function sortUnknown(store: MediaStore, files: MediaFiles, now: Date): Promise<void> {
  await takeBackKnown(store, files);
  if ((await unknownNames(store, files)).length === 0) return;
  await store.write(async (transaction) => {
    for (const name of await unknownNames(transaction, files)) await files.trash.put(name, now);
  });
}

async function takeBackKnown(store: MediaReader, files: MediaFiles): Promise<void> {
  const trashed = await files.trash.names();
  if (trashed.length === 0) return;
  const served = new Set(await files.names());
  const { known } = await sorted(
    store,
    [...new Set(trashed)].filter((name) => !served.has(name)),
  );
  for (const name of known) await files.trash.takeBack(name);
}

async function unknownNames(store: MediaReader, files: MediaFiles): Promise<string[]> {
  return (await sorted(store, await files.names())).unknown;
}

/** Names of files by whether the record knows them. */
async function sorted(
  store: MediaReader,
  names: readonly string[],
): Promise<{ known: string[]; unknown: string[] }> {
  const idOf = (name: string) => readMediumFile(name)?.id ?? "";
  const ids = await store.knownMedia(names.map(idOf));
  return {
    known: names.filter((name) => ids.has(idOf(name))),
    unknown: names.filter((name) => !ids.has(idOf(name))),
  };
}
