import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { DAY_MILLISECONDS } from "../../access/days.ts";
import { AppError } from "../../errors.ts";
import type { MediaFile, MediaFileStorage, MediaStore, RemovedMediaFile } from "./media.ts";
import { mediaFileName, mediaFilePath } from "./media-kinds.ts";
import { TRASH_DAYS } from "./media-trash.ts";

/** Withdrawn files that can be restored, the latest withdrawal first. */
export async function listRemovedMedia(
  store: MediaStore,
  actor: Actor,
  { limit, now }: { limit: number; now: Date },
): Promise<{ removed: RemovedMediaFile[]; hasMore: boolean }> {
  requireScope(actor, "content:read");
  const found = await store.removedMedia(limit + 1);
  const removed = found.filter((each) => !hasExpired(each, now));
  return { removed: removed.slice(0, limit), hasMore: removed.length > limit };
}

/**
 * Restores a withdrawn file and its description at its former address. The file becomes public
 * again if something public shows it.
 *
 * @throws {AppError} `not_found` if it was not withdrawn in the last 30 days; `forbidden`.
 */
export async function restoreMediaFile(
  { media, files }: { media: MediaStore; files: MediaFileStorage },
  actor: Actor,
  id: string,
  { now, requestId }: ChangeContext,
): Promise<MediaFile> {
  requireScope(actor, "media:write");
  return await media.write(async (transaction) => {
    const removed = await transaction.removedMedium(id);
    if (removed === null || hasExpired(removed, now)) throw notInTrash();
    const { medium } = removed;
    const file = mediaFileName(medium);
    await files.trash.restore(file);
    if ((await files.find(file)) === null) throw notInTrash();
    const at = now.toISOString();
    const restoredMedium = { ...medium, updatedAt: at, revision: medium.revision + 1 };
    await transaction.put(restoredMedium, {
      ...{ at, actor: actorName(actor), action: "media.restore", target: mediaFilePath(medium) },
      ...{ revisionBefore: medium.revision, revisionAfter: restoredMedium.revision },
      requestId: requestId ?? null,
    });
    return restoredMedium;
  });
}

function hasExpired({ removedAt }: RemovedMediaFile, now: Date): boolean {
  return now.getTime() - Date.parse(removedAt) > TRASH_DAYS * DAY_MILLISECONDS;
}

function notInTrash(): AppError {
  return new AppError("not_found", {
    en: `There is no file with this id in the trash; withdrawn files are kept for ${TRASH_DAYS} days`,
    de: `Diese Datei liegt nicht im Papierkorb; entfernte Dateien bleiben dort ${TRASH_DAYS} Tage`,
  });
}
