import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAuditLogPage } from "../../src/access/audit.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import type { RecordStores } from "../../src/storage/record/stores.ts";
import { commitCount } from "../../src/storage/sqlite/data-version.ts";
import {
  NOW,
  OPERATOR,
  openRecordStore,
  type RecordStore,
  topic,
} from "../support/record-store.ts";

function saving(title: string) {
  return async ({ content }: Pick<RecordStores, "content">) => {
    const { item } = await saveItem(content, OPERATOR, topic(title), NOW);
    return item.path;
  };
}

function failing(title: string) {
  return async (stores: RecordStores): Promise<string> => {
    await saving(title)(stores);
    throw new Error(`${title} failed`);
  };
}

async function told({ record }: RecordStore): Promise<string[]> {
  const entries = await readAuditLogPage(record.audit, OPERATOR, { limit: 50 });
  return entries.map(({ target }) => target).filter((target) => target.startsWith("/"));
}

/** In PostgreSQL each commit that changes something for the public has a number of its own in the log. */
function commitsOf({ record: { replica } }: RecordStore): number {
  return replica?.state().position ?? commitCount();
}

describe("changes asked for together", () => {
  it("share the way to disk", async () => {
    await using store = await openRecordStore();
    const titles = Array.from({ length: 30 }, (_, number) => `Topic ${number}`);
    const commits = commitsOf(store);
    const changes = titles.map((title) => store.record.atomically(saving(title)));
    const paths = await Promise.all(changes);
    const made = commitsOf(store) - commits;
    // How many share one hangs on how many a machine makes in the time there is for it.
    assert(made > 0 && made < titles.length, `${made} commits`);
    assert.equal((await told(store)).length, titles.length);
    for (const path of paths) assert.equal(store.reading.resolve(path).kind, "item", path);
  });

  it("are undone one by one when they fail, wherever among them", async () => {
    await using store = await openRecordStore();
    const outcomes = await Promise.allSettled(
      [failing("Alpha"), saving("Beta"), failing("Gamma"), failing("Delta"), saving("Epsilon")].map(
        (change) => store.record.atomically(change),
      ),
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason)),
      [
        new Error("Alpha failed"),
        "/topics/beta",
        new Error("Gamma failed"),
        new Error("Delta failed"),
        "/topics/epsilon",
      ],
    );
    assert.deepEqual(await told(store), ["/topics/epsilon", "/topics/beta"]);
    for (const title of ["alpha", "gamma", "delta"]) {
      assert.equal(store.reading.resolve(`/topics/${title}`).kind, "absent", title);
      assert.equal(await store.content.itemAt(`/topics/${title}`), null, title);
    }
    for (const title of ["beta", "epsilon"]) {
      assert.equal(store.reading.resolve(`/topics/${title}`).kind, "item", title);
    }
  });

  it("see what those before them changed", async () => {
    await using store = await openRecordStore();
    const [first, second] = await Promise.all([
      store.record.atomically(saving("Time")),
      store.record.atomically(({ content }) => content.itemAt("/topics/time")),
    ]);
    assert.equal(second?.path, first);
  });

  it("can be previewed beside them", async () => {
    await using store = await openRecordStore();
    const [path, kind] = await Promise.all([
      store.record.atomically(saving("Time")),
      store.record.preview(
        saving("Space"),
        async (reading) => reading.resolve("/topics/space").kind,
      ),
      store.record.atomically(saving("Place")),
    ]);
    assert.deepEqual([path, kind], ["/topics/time", "item"]);
    assert.equal(store.reading.resolve("/topics/space").kind, "absent");
    assert.equal(store.reading.resolve("/topics/place").kind, "item");
  });

  it("are waited for by closing, and refused once it began", async () => {
    await using store = await openRecordStore();
    const change = store.record.atomically(saving("Time"));
    const reopening = store.reopen();
    await assert.rejects(store.record.atomically(saving("Space")), { code: "unavailable" });
    const again = await reopening;
    assert.equal(await change, "/topics/time");
    assert.equal(again.reading.resolve("/topics/time").kind, "item");
    await again.record.close();
  });
});
