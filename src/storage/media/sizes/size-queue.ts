import type {
  MediaFile,
  MediaFileStorage,
  MediaReader,
  ResizedPictureStore,
} from "../../../content/media/media.ts";
import { mediaFileName } from "../../../content/media/media-kinds.ts";
import { hasResizedVersions } from "../../../content/media/picture-sizes.ts";
import type { Log } from "../../../log.ts";
import type { TaskQueue } from "../../../work/queue-worker.ts";

/** Number of pictures that one claim of the queue examines. */
const PAGE_SIZE = 100;
/**
 * Number of newest pictures that are compared to detect a new one. The newest alone would not
 * suffice: the clocks of instances differ, so a new picture may not sort first.
 */
const LATEST_MAX = 20;
const ROUND_MILLISECONDS = 60 * 60 * 1000;

interface SizeQueueParts {
  media: Pick<MediaReader, "media" | "knownMedia">;
  files: Pick<MediaFileStorage, "find">;
  sizes: ResizedPictureStore;
  log: Log;
}

interface Scan {
  /** Ids of the newest pictures at the start of the scan, joined by commas. */
  newest: string | null;
  after: { addedAt: string; id: string } | null;
  /** Time from `performance.now()`; null while the scan runs. */
  endedAt: number | null;
}

/**
 * Makes smaller versions of pictures that have none on this machine. Scans all pictures, newest
 * first, once an hour and whenever there is a new one. The queue therefore stores no state, and a
 * killed process loses nothing.
 */
export function pictureSizeQueue(parts: SizeQueueParts): TaskQueue<MediaFile> {
  let scan: Scan = { newest: null, after: null, endedAt: null };
  return {
    taskName: "picture",
    concurrencyMax: 1,
    graceMilliseconds: 0,
    async claim() {
      const latest = await parts.media.media({ type: "image", limit: LATEST_MAX });
      const newest = latest.map(({ id }) => id).join();
      if (newest !== scan.newest || isRoundOver(scan))
        scan = { newest, after: null, endedAt: null };
      if (scan.endedAt !== null) return [];
      const found = await nextPictureWithoutSizes(scan, parts);
      return found === null ? [] : [found];
    },
    run: async (medium, stopping) => await makeSizes(medium, parts, stopping),
  };
}

/**
 * Continues the scan by at most one page. @returns the first picture without its smaller versions.
 */
async function nextPictureWithoutSizes(
  scan: Scan,
  parts: SizeQueueParts,
): Promise<MediaFile | null> {
  const { media, sizes } = parts;
  const after = scan.after === null ? {} : { after: scan.after };
  const page = await media.media({ type: "image", limit: PAGE_SIZE, ...after });
  for (const medium of page) {
    scan.after = { addedAt: medium.addedAt, id: medium.id };
    if (hasResizedVersions(medium) && !(await sizes.isMade(medium.id))) return medium;
  }
  if (page.length === PAGE_SIZE) return null;
  scan.endedAt = performance.now();
  await removeUnknown(parts);
  return null;
}

function isRoundOver({ endedAt }: Scan): boolean {
  return endedAt !== null && performance.now() - endedAt > ROUND_MILLISECONDS;
}

async function makeSizes(
  medium: MediaFile,
  { files, sizes, log }: SizeQueueParts,
  stopping: AbortSignal,
): Promise<void> {
  const original = await files.find(mediaFileName(medium));
  if (original === null) return;
  const stop = () => sizes.stop();
  stopping.addEventListener("abort", stop, { once: true });
  try {
    const refusal = await sizes.make(medium, original);
    if (refusal !== null) log.warn({ picture: medium.id, refusal }, "A picture has no sizes");
  } finally {
    stopping.removeEventListener("abort", stop);
  }
}

/** Removes the smaller versions of pictures that the record no longer has. */
async function removeUnknown({ media, sizes }: SizeQueueParts): Promise<void> {
  const ids = await sizes.ids();
  for (let at = 0; at < ids.length; at += PAGE_SIZE) {
    const slice = ids.slice(at, at + PAGE_SIZE);
    const known = await media.knownMedia(slice);
    for (const id of slice) if (!known.has(id)) await sizes.remove(id);
  }
}
