import { DAY_MILLISECONDS } from "../../access/days.ts";
import type { MediaFileStorage, MediaReader, MediaStore } from "./media.ts";
import { mediaFileName, parseMediaFileName } from "./media-kinds.ts";
import { TRASH_DAYS } from "./media-trash.ts";

/** Moves withdrawn files to the trash, except those that have been added again. */
export async function trashWithdrawnFiles(
  store: MediaStore,
  files: MediaFileStorage,
  now: Date,
): Promise<void> {
  const withdrawn = await store.withdrawn();
  if (withdrawn.length === 0) return;
  await store.write(async (transaction) => {
    for (const medium of withdrawn) {
      if ((await transaction.medium(medium.id)) === null) {
        await files.trash.put(mediaFileName(medium), now);
        await transaction.noteTrashed(medium.id);
      } else {
        await transaction.forgetRemoved(medium.id);
      }
    }
  });
}

/**
 * Deletes files that have been in the trash for 30 days. If they are withdrawn files, also deletes their
 * entries in the record.
 */
export async function deleteExpiredTrash(
  store: MediaStore,
  files: MediaFileStorage,
  now: Date,
): Promise<void> {
  const time = new Date(now.getTime() - TRASH_DAYS * DAY_MILLISECONDS);
  await store.write((transaction) => transaction.forgetRemovedBefore(time));
  await files.trash.clear(now);
}

/**
 * Moves files without an entry in the record to the trash, and restores trashed files that have an entry. A
 * file lacks an entry after a crash during its upload, or if the folder belongs to another record.
 */
export async function trashUnknownFiles(
  store: MediaStore,
  files: MediaFileStorage,
  now: Date,
): Promise<void> {
  await restoreKnown(store, files);
  if ((await unknownNames(store, files)).length === 0) return;
  await store.write(async (transaction) => {
    for (const name of await unknownNames(transaction, files)) await files.trash.put(name, now);
  });
}

async function restoreKnown(store: MediaReader, files: MediaFileStorage): Promise<void> {
  const trashedNames = await files.trash.names();
  if (trashedNames.length === 0) return;
  const served = new Set(await files.names());
  const { known } = await splitByKnown(
    store,
    [...new Set(trashedNames)].filter((name) => !served.has(name)),
  );
  for (const name of known) await files.trash.restore(name);
}

async function unknownNames(store: MediaReader, files: MediaFileStorage): Promise<string[]> {
  return (await splitByKnown(store, await files.names())).unknown;
}

/** Splits file names by whether the record has an entry for the file. */
async function splitByKnown(
  store: MediaReader,
  names: readonly string[],
): Promise<{ known: string[]; unknown: string[] }> {
  const idOf = (name: string) => parseMediaFileName(name)?.id ?? "";
  const ids = await store.knownMedia(names.map(idOf));
  return {
    known: names.filter((name) => ids.has(idOf(name))),
    unknown: names.filter((name) => !ids.has(idOf(name))),
  };
}
