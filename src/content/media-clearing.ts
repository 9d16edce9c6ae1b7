import type { MediaFiles, MediaReader, MediaStore } from "./media.ts";
import { mediumFile, readMediumFile } from "./media-kinds.ts";

const LOOK_EVERY_MILLISECONDS = 60 * 60 * 1000;

/** For the clock: takes withdrawn files from the folder, and every hour those nobody knows of. */
export function mediaClearing(store: MediaStore, files: MediaFiles): (now: Date) => Promise<void> {
  let lookAt = 0;
  return async (now) => {
    await clearRemoved(store, files);
    if (now.getTime() < lookAt) return;
    await clearUnknown(store, files, now);
    lookAt = now.getTime() + LOOK_EVERY_MILLISECONDS;
  };
}

/**
 * Takes withdrawn files from the folder. In one transaction, so that a file somebody publishes again
 * meanwhile stays.
 */
async function clearRemoved(store: MediaStore, files: MediaFiles): Promise<void> {
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
 * Takes files from the folder that nothing is known of: a crash came between the file and what is
 * said of it.
 */
async function clearUnknown(store: MediaStore, files: MediaFiles, now: Date): Promise<void> {
  await files.clearReceived(now);
  if ((await unknownNames(store, files)).length === 0) return;
  await store.write(async (transaction) => {
    for (const name of await unknownNames(transaction, files)) await files.remove(name);
  });
}

async function unknownNames(store: MediaReader, files: MediaFiles): Promise<string[]> {
  const found = (await files.names()).map((name) => ({ name, id: readMediumFile(name)?.id ?? "" }));
  const known = await store.knownMedia(found.map(({ id }) => id));
  return found.filter(({ id }) => !known.has(id)).map(({ name }) => name);
}
