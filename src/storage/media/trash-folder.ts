import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  isTrashDay,
  isTrashDayExpired,
  type MediaTrash,
  trashDay,
} from "../../content/media/media-trash.ts";
import {
  listFolderEntryNames,
  makeFolder,
  moveDurably,
  pathExists,
} from "../../files/durable-files.ts";

/** Opens the trash next to the media folder. It has one subfolder per day. */
export function openTrashFolder(media: string): MediaTrash {
  const trash = `${media}-trash`;
  return {
    async put(name, now) {
      const day = join(trash, trashDay(now));
      makeFolder(day);
      if (await pathExists(join(media, name)))
        await moveDurably(join(media, name), join(day, name));
    },
    async names() {
      const days = await daysIn(trash);
      return (await Promise.all(days.map((day) => listFolderEntryNames(join(trash, day))))).flat();
    },
    async restore(name) {
      for (const day of await daysIn(trash)) {
        const path = join(trash, day, name);
        if (await pathExists(path)) await moveDurably(path, join(media, name));
      }
    },
    async clear(now) {
      for (const day of await daysIn(trash)) {
        if (isTrashDayExpired(day, now))
          await rm(join(trash, day), { recursive: true, force: true });
      }
    },
  };
}

async function daysIn(trash: string): Promise<string[]> {
  return (await listFolderEntryNames(trash)).filter(isTrashDay);
}
