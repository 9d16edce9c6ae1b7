import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { changeItem, saveItem } from "../../src/content/editing/editing.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { RecordPool } from "../../src/storage/record/postgres/connections/pool.ts";
import { readInSnapshot } from "../../src/storage/record/postgres/snapshot-content.ts";
import { buildCopy, prepareCopyFolder } from "../../src/storage/replica/building.ts";
import type { SnapshotContent } from "../../src/storage/replica/change-source.ts";
import { readPositionOfUpdatableCopy, withLockFile } from "../../src/storage/replica/copy-file.ts";
import { IndexBuildWorker } from "../../src/storage/replica/index-build.ts";
import { readingDump } from "../support/dumps.ts";
import { type Instance, type Instances, openInstances } from "../support/instances.ts";
import { onPostgres } from "../support/postgres-store.ts";
import { editAtRandom } from "../support/random-editing.ts";
import { NOW, OPERATOR, RECORD_ORIGIN, SITE, topic } from "../support/record-store.ts";

const EVERY_SIZE_IS_LARGE = 0;
const MORE_THAN_A_BLOCK = 1001;

/** Builds a copy with two threads; `as` gives the record's content. */
async function makeLarge(
  { database }: Instances,
  file: string,
  {
    onProgress = () => {},
    signal = new AbortController().signal,
    as = (content: SnapshotContent) => content,
  } = {},
): Promise<void> {
  const pool = new RecordPool(database.url);
  try {
    await buildCopy({
      file,
      origin: RECORD_ORIGIN,
      source: {
        snapshot: async (read) =>
          await readInSnapshot(pool, async (content) => await read(as(content))),
      },
      onProgress,
      signal,
      largeItems: EVERY_SIZE_IS_LARGE,
    });
  } finally {
    await pool.close();
  }
}

/** An instance with one topic, and the closed copy of another instance. */
async function openWithOld(instances: Instances): Promise<{ one: Instance; old: string }> {
  const one = await instances.open("one");
  await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
  await saveItem(one.record.content, OPERATOR, topic("Before"), NOW);
  const other = await instances.open("other");
  await other.close();
  return { one, old: other.file };
}

async function found(file: string, text: string): Promise<string[]> {
  const reading = openReadingCopy({ file });
  try {
    const query = { text, types: [], filters: [], links: [], limit: 25, offset: 0 };
    return (await reading.search(query)).hits.map(({ path }) => path);
  } finally {
    reading[Symbol.dispose]();
  }
}

onPostgres("a copy made by two threads", () => {
  it("equals one built by one thread", { timeout: 120_000 }, async () => {
    for (const seed of [3, 20_261_122]) {
      await using instances = await openInstances();
      const one = await instances.open("one");
      await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
      await editAtRandom(one.record, seed, 200);
      const small = await instances.open("small");
      const folder = await instances.open("large");
      const file = join(dirname(folder.file), "made.db");
      await makeLarge(instances, file);
      assert.deepEqual(readingDump(file), readingDump(small.file), `seed ${seed}`);
      for (const text of ["time river", "wisdom", "tiem"]) {
        assert.deepEqual(await found(file, text), await found(small.file, text), text);
      }
    }
  });

  it("includes items published long after those that link to them", async () => {
    await using instances = await openInstances();
    const { one, old } = await openWithOld(instances);
    const { content } = one.record;
    const { id } = (await saveItem(content, OPERATOR, topic("First"), NOW)).item;
    await content.write(async (transaction) => {
      for (let number = 1; number <= MORE_THAN_A_BLOCK; number += 1) {
        await saveItem(transaction, OPERATOR, topic(`Between ${number}`), NOW);
      }
    });
    const last = await saveItem(content, OPERATOR, topic("Quite at the last"), NOW);
    const patch = { relations: { see_also: [{ to: last.item.id, note: "On it." }] } };
    await changeItem(content, OPERATOR, id, { patch, now: NOW });
    const made = join(dirname(old), "made.db");
    await makeLarge(instances, made);
    assert.deepEqual(readingDump(made), readingDump(one.file));
    const expected = ["/topics/quite-at-the-last", "/topics/first"];
    assert.deepEqual(await found(made, "quite at the last"), expected);
  });

  it("follows later changes", async () => {
    await using instances = await openInstances();
    const { one, old } = await openWithOld(instances);
    const made = join(dirname(old), "made.db");
    await makeLarge(instances, made);
    copyFileSync(made, old);
    await saveItem(one.record.content, OPERATOR, topic("After"), NOW);
    const again = await instances.open("other");
    assert.deepEqual(readingDump(again.file), readingDump(one.file));
    assert.deepEqual(await found(again.file, "after"), ["/topics/after"]);
  });

  it("keeps the old copy and no temporary files when the build is aborted or fails", async () => {
    await using instances = await openInstances();
    const { old } = await openWithOld(instances);
    const { buildId } = readPositionOfUpdatableCopy(old, RECORD_ORIGIN) ?? {};
    const before = readdirSync(dirname(old));
    const ending = new AbortController();
    const { signal } = ending;
    const ended = makeLarge(instances, old, { signal, onProgress: () => ending.abort() });
    await assert.rejects(ended, { name: "AbortError" });
    const lost = new Error("The connection was lost");
    const as = (content: SnapshotContent) => ({
      ...content,
      get updatedAt(): string {
        throw lost;
      },
    });
    await assert.rejects(makeLarge(instances, old, { as }), lost);
    assert.deepEqual(readdirSync(dirname(old)), before);
    assert.equal(readPositionOfUpdatableCopy(old, RECORD_ORIGIN)?.buildId, buildId);
  });

  it("fails when the worker thread does", async () => {
    await using beside = new IndexBuildWorker("/there/is/no/such/folder/search.db");
    const { signal } = new AbortController();
    await assert.rejects(beside.move("/nor/this/reading.db", signal), /unable to open/);
  });
});

it("removes the files of a killed build at the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-building-"));
  const file = join(folder, "reading.db");
  const unfinished = ["reading.db.new", "reading.db.new-journal", "reading.db.new-search"];
  for (const name of unfinished) writeFileSync(join(folder, name), "unfinished");
  const { signal } = new AbortController();
  await withLockFile(file, { isNeeded: () => true, signal }, async () => {
    prepareCopyFolder(file);
    const kept = readdirSync(folder).filter((name) => name.startsWith("reading.db.new"));
    assert.deepEqual(kept.sort(), unfinished);
  });
  prepareCopyFolder(file);
  assert.deepEqual(readdirSync(folder), ["reading.db.lock"]);
  rmSync(folder, { recursive: true });
});
