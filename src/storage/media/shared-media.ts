import type { MediaFileStorage, StoredFile } from "../../content/media/media.ts";
import { mediaFileName, parseMediaFileName } from "../../content/media/media-kinds.ts";
import { AppError, isTransientError } from "../../errors.ts";
import type { SharedFiles } from "../shared-files.ts";
import { openMediaFolder } from "./media-folder.ts";
import { openSharedTrash } from "./shared-trash.ts";

const MEDIA_FOLDER = "media";

export interface SharedMedia extends MediaFileStorage {
  /**
   * Syncs the local copy with shared storage if anything has changed. Files can then be served even
   * when shared storage is unreachable. If a file is damaged, processes all other files before
   * throwing.
   */
  follow(signal: AbortSignal, now: Date): Promise<void>;
}

/**
 * Opens the files of a site with several instances. Shared storage has all files. Each instance
 * serves them from a local copy, which fetches a missing file when it is requested.
 */
export function openSharedMedia(folder: string, shared: SharedFiles): SharedMedia {
  const copy = openMediaFolder(folder);
  const downloads = new Map<string, Promise<void>>();
  const fetchFile = async (name: string) => {
    for (const isLast of [false, true]) {
      const file = await shared.find(nameOf(name));
      if (file === null) return;
      try {
        return await copy.adopt(name, file.pieces());
      } catch (error) {
        // Tries again, because another upload of the same bytes may just have replaced the file.
        if (isLast || !isGone(error)) throw translateFault(error);
      }
    }
  };
  /** Single flight: concurrent requests share one download. */
  const fetchOnce = async (name: string) => {
    const inFlight = downloads.get(name) ?? fetchFile(name).finally(() => downloads.delete(name));
    downloads.set(name, inFlight);
    await inFlight;
  };
  let syncedVersion = -1;
  return {
    inspect: copy.inspect,
    async receive(bytes) {
      const file = await copy.receive(bytes);
      const upload = await shared.receive(file.read()).catch(async (error: unknown) => {
        await file[Symbol.asyncDispose]();
        throw error;
      });
      return {
        ...file,
        async keep() {
          const name = nameOf(mediaFileName(file));
          if ((await shared.find(name)) === null) await upload.keep(name);
          await file.keep();
        },
        async [Symbol.asyncDispose]() {
          await file[Symbol.asyncDispose]();
          await upload[Symbol.asyncDispose]();
        },
      };
    },
    async find(name): Promise<StoredFile | null> {
      const local = await copy.find(name);
      if (local !== null || parseMediaFileName(name) === null) return local;
      await fetchOnce(name);
      return await copy.find(name);
    },
    async remove(name) {
      if (parseMediaFileName(name) !== null) await shared.remove(nameOf(name));
      await copy.remove(name);
    },
    trash: openSharedTrash(copy, { shared, nameOf }),
    async names() {
      return [...new Set([...(await namesOf(shared)), ...(await copy.names())])];
    },
    async removeAbandonedUploads(now) {
      await copy.removeAbandonedUploads(now);
      await shared.removeAbandonedUploads(now);
    },
    async follow(signal, now) {
      const version = await shared.version();
      if (version === syncedVersion) return;
      // Lists the local names before the shared names. Otherwise a file fetched between the two steps would
      // seem to have been removed.
      const localNames = new Set(await copy.names());
      const sharedNames = new Set(await namesOf(shared));
      // A file that exists only locally was removed by another instance, or lost by shared storage.
      // Moves the file to the trash, because it may be the last copy.
      for (const name of localNames) if (!sharedNames.has(name)) await copy.trash.put(name, now);
      const faults: unknown[] = [];
      for (const name of [...sharedNames].filter((each) => !localNames.has(each))) {
        if (signal.aborted) return;
        await fetchOnce(name).catch((error: unknown) => {
          if (isTransientError(error)) throw error;
          faults.push(error);
        });
      }
      syncedVersion = version;
      if (faults.length > 0) throw faults[0];
    },
  };
}

async function namesOf(shared: SharedFiles): Promise<string[]> {
  return (await shared.list(MEDIA_FOLDER)).map(({ name }) => name.slice(MEDIA_FOLDER.length + 1));
}

function nameOf(file: string): string {
  return `${MEDIA_FOLDER}/${file}`;
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === "not_found";
}

/** Turns an `invalid` error into an internal one, because corrupt bytes are not the client's fault. */
function translateFault(error: unknown): unknown {
  const isDamaged = error instanceof AppError && error.code === "invalid";
  return isDamaged ? new Error(error.message, { cause: error }) : error;
}
