import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import {
  deleteExpiredTrash,
  trashUnknownFiles,
  trashWithdrawnFiles,
} from "../../src/content/media/media-clearing.ts";
import { addMediaFile, removeMediaFile } from "../../src/content/media/media-editing.ts";
import { openMediaFolder } from "../../src/storage/media/media-folder.ts";
import { png } from "../support/media-bytes.ts";
import { NOW, OPERATOR, openRecordStore } from "../support/record-store.ts";

const DAY = 24 * 60 * 60 * 1000;

it("deletes what was withdrawn and what a wrong record does not know, both only after 30 days", async () => {
  await using right = await openRecordStore({ engine: "SQLite" });
  await using wrong = await openRecordStore({ engine: "SQLite" });
  const files = openMediaFolder(join(right.file, "../media"));
  const add = async (bytes: Uint8Array) => {
    await using file = await files.receive(ReadableStream.from([bytes]));
    const { medium } = await addMediaFile(right.record.media, OPERATOR, file, {}, { now: NOW });
    return medium.id;
  };
  const [kept, withdrawn] = [await add(png(2, 3)), await add(png(3, 2))];
  const clear = async ({ record: { media } }: typeof right, now: Date) => {
    await trashWithdrawnFiles(media, files, now);
    await trashUnknownFiles(media, files, now);
    await deleteExpiredTrash(media, files, now);
  };

  await removeMediaFile(right.record.media, OPERATOR, withdrawn, { now: NOW });
  await clear(right, NOW);
  const trashed = `${withdrawn}.png`;
  assert.deepEqual([await files.names(), await files.trash.names()], [[`${kept}.png`], [trashed]]);
  assert.equal((await right.record.media.removedMedia(1)).length, 1);
  await clear(right, new Date(NOW.getTime() + 32 * DAY));
  assert.deepEqual([await files.names(), await files.trash.names()], [[`${kept}.png`], []]);
  assert.deepEqual(await right.record.media.removedMedia(1), []);

  await clear(wrong, NOW);
  assert.deepEqual([await files.names(), await files.trash.names()], [[], [`${kept}.png`]]);
  await clear(wrong, new Date(NOW.getTime() + 29 * DAY));
  await clear(right, new Date(NOW.getTime() + 29 * DAY));
  assert.deepEqual([await files.names(), await files.trash.names()], [[`${kept}.png`], []]);

  await clear(wrong, NOW);
  await clear(wrong, new Date(NOW.getTime() + 31 * DAY));
  assert.deepEqual([await files.names(), await files.trash.names()], [[], []]);
});
