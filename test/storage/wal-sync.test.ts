import assert from "node:assert/strict";
import { type FileHandle, open } from "node:fs/promises";
import { describe, it, mock } from "node:test";
import { onlyOnSqlite } from "../support/engine.ts";
import { openRecordStore, topic } from "../support/record-store.ts";
import { until } from "../support/until.ts";

interface HeldSyncs extends Disposable {
  /** How many syncs have begun. */
  begun(): number;
  /** Lets all syncs end, those that have begun and later ones. */
  release(): void;
}

/** Holds back every sync of a file, or has it fail. */
async function holdSyncs(fault?: Error): Promise<HeldSyncs> {
  const some = await open(import.meta.filename);
  const prototype: FileHandle = Object.getPrototypeOf(some);
  await some.close();
  const released = Promise.withResolvers<void>();
  const { mock: held } = mock.method(prototype, "datasync", async () => {
    if (fault !== undefined) throw fault;
    await released.promise;
  });
  return {
    begun: () => held.callCount(),
    release: () => released.resolve(),
    [Symbol.dispose]() {
      released.resolve();
      held.restore();
    },
  };
}

describe("a change to the store", onlyOnSqlite(), () => {
  it("is answered once it is on the disk, while others read and the next one is committed", async () => {
    await using store = await openRecordStore();
    using syncs = await holdSyncs();
    const answered: string[] = [];
    const save = async (title: string) => {
      await store.save(topic(title, { sourceKey: title }));
      answered.push(title);
    };
    const first = save("One");
    await until(async () => (await store.content.itemBySourceKey("One")) !== null);
    const others = ["Two", "Three", "Four"].map(save);
    await until(async () => (await store.content.itemBySourceKey("Four")) !== null);
    assert.deepEqual([answered, syncs.begun()], [[], 1]);
    syncs.release();
    await Promise.all([first, ...others]);
    assert.deepEqual(answered, ["One", "Two", "Three", "Four"]);
    assert.equal(
      syncs.begun(),
      2,
      "those that waited share a sync, which began after their commits",
    );
  });

  it("is not called kept when the disk fails, and no later one is taken until the store is opened again", async () => {
    const store = await openRecordStore();
    {
      using _failing = await holdSyncs(new Error("EIO"));
      await assert.rejects(store.save(topic("One", { sourceKey: "One" })), {
        code: "unavailable",
        message: /^The disk did not confirm the change/,
      });
    }
    await assert.rejects(store.save(topic("Two", { sourceKey: "Two" })), {
      code: "unavailable",
      message: /^The disk failed .+ until the service is restarted/,
    });
    assert.equal(await store.content.itemBySourceKey("Two"), null);
    await using again = await store.reopen();
    assert.equal((await again.save(topic("Two"))).outcome, "created");
  });
});
