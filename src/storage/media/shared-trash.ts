import type { StoredFile } from "../../content/media/media.ts";
import {
  isTrashDayExpired,
  type MediaTrash,
  parseSharedTrashName,
  sharedTrashName,
  TRASH_FOLDER,
  trashDay,
} from "../../content/media/media-trash.ts";
import type { SharedFiles } from "../shared-files.ts";
import type { MediaFolder } from "./media-folder.ts";

/**
 * Opens the trash in shared storage. Files that exist only on this machine go to the local trash.
 */
export function openSharedTrash(
  copy: MediaFolder,
  { shared, nameOf }: { shared: SharedFiles; nameOf: (file: string) => string },
): MediaTrash {
  const inTrash = async () =>
    (await shared.list(TRASH_FOLDER)).flatMap(({ name }) => parseTrashPath(name) ?? []);
  return {
    async put(name, now) {
      const trashed = `${TRASH_FOLDER}/${sharedTrashName(trashDay(now), name)}`;
      const isMoved = await shared.rename(nameOf(name), trashed);
      if (isMoved) await copy.remove(name);
      else await copy.trash.put(name, now);
    },
    async names() {
      return [...(await inTrash()).map(({ name }) => name), ...(await copy.trash.names())];
    },
    async restore(name) {
      const found = (await inTrash()).find((place) => place.name === name);
      if (found !== undefined) {
        await shared.rename(found.path, nameOf(name));
        return;
      }
      await copy.trash.restore(name);
      const file = await copy.find(name);
      if (file === null) return;
      await using upload = await shared.receive(bytesOf(file));
      await upload.keep(nameOf(name));
    },
    async clear(now) {
      for (const { day, path } of await inTrash()) {
        if (isTrashDayExpired(day, now)) await shared.remove(path);
      }
      await copy.trash.clear(now);
    },
  };
}

function parseTrashPath(path: string): { day: string; name: string; path: string } | null {
  const parsed = parseSharedTrashName(path.slice(TRASH_FOLDER.length + 1));
  return parsed === null ? null : { ...parsed, path };
}

async function* bytesOf(file: StoredFile): AsyncGenerator<Uint8Array> {
  yield* file.stream({ start: 0, end: file.bytes - 1 });
}
