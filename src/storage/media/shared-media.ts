import type { MediaFiles, StoredFile } from "../../content/media/media.ts";
import { mediumFile, readMediumFile } from "../../content/media/media-kinds.ts";
import { AppError, isTransient } from "../../errors.ts";
import type { SharedFiles } from "../shared-files.ts";
import { openMediaFolder } from "./media-folder.ts";
import { openSharedTrash } from "./shared-trash.ts";

const MEDIA_FOLDER = "media";

export interface SharedMedia extends MediaFiles {
  /**
   * Syncs the local copy with shared storage if anything changed, so that files are served even when
   * that is unreachable. Throws for a damaged file, after processing all others.
   */
  follow(signal: AbortSignal, now: Date): Promise<void>;
}

/**
 * The files of a site with several instances: stored in shared storage, served from a local copy that
 * fetches each file no later than its first request.
 */
export function openSharedMedia(folder: string, shared: SharedFiles): SharedMedia {
  const copy = openMediaFolder(folder);
  const copying = new Map<string, Promise<void>>();
  const fetchFile = async (name: string) => {
    for (const isLast of [false, true]) {
      const file = await shared.find(nameOf(name));
      if (file === null) return;
      try {
        return await copy.adopt(name, file.pieces());
      } catch (error) {
        // Another upload of the same bytes may just have replaced it.
        if (isLast || !isGone(error)) throw translateFault(error);
      }
    }
  };
  /** Single flight: concurrent requests share one download. */
  const fetchOnce = async (name: string) => {
    const inFlight = copying.get(name) ?? fetchFile(name).finally(() => copying.delete(name));
    copying.set(name, inFlight);
    await inFlight;
  };
  let followed = -1;
  return {
    async receive(bytes) {
      const file = await copy.receive(bytes);
      const upload = await shared.receive(file.read()).catch(async (error: unknown) => {
        await file[Symbol.asyncDispose]();
        throw error;
      });
      return {
        ...file,
        async keep() {
          const name = nameOf(mediumFile(file));
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
      const here = await copy.find(name);
      if (here !== null || readMediumFile(name) === null) return here;
      await fetchOnce(name);
      return await copy.find(name);
    },
    async remove(name) {
      if (readMediumFile(name) !== null) await shared.remove(nameOf(name));
      await copy.remove(name);
    },
    trash: openSharedTrash(copy, { shared, nameOf }),
    async names() {
      return [...new Set([...(await namesOf(shared)), ...(await copy.names())])];
    },
    async clearReceived(now) {
      await copy.clearReceived(now);
      await shared.clearReceived(now);
    },
    async follow(signal, now) {
      const version = await shared.version();
      if (version === followed) return;
      // In this order, so that a file another request fetches in between does not count as removed.
      const here = new Set(await copy.names());
      const there = new Set(await namesOf(shared));
      // Removed elsewhere, or lost there: this may be the last copy.
      for (const name of here) if (!there.has(name)) await copy.trash.put(name, now);
      const faults: unknown[] = [];
      for (const name of [...there].filter((each) => !here.has(each))) {
        if (signal.aborted) return;
        await fetchOnce(name).catch((error: unknown) => {
          if (isTransient(error)) throw error;
          faults.push(error);
        });
      }
      followed = version;
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

/** Corrupt bytes are not the client's fault. */
function translateFault(error: unknown): unknown {
  const isDamaged = error instanceof AppError && error.code === "invalid";
  return isDamaged ? new Error(error.message, { cause: error }) : error;
}
