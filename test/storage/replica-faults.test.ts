import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { saveItem } from "../../src/content/editing/editing.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import { openChangeLog } from "../../src/storage/record/postgres/changes/change-log.ts";
import { openNotificationListener } from "../../src/storage/record/postgres/changes/notification-listener.ts";
import { HangDetector } from "../../src/storage/record/postgres/connections/hang-detector.ts";
import { DatabaseReachability } from "../../src/storage/record/postgres/connections/reach.ts";
import { openFollower } from "../../src/storage/replica/follower.ts";
import { dice } from "../support/dice.ts";
import { readingDump } from "../support/dumps.ts";
import {
  type Instance,
  type Instances,
  openInstances,
  untilUpToDate,
} from "../support/instances.ts";
import { onPostgres } from "../support/postgres-store.ts";
import { editAtRandom } from "../support/random-editing.ts";
import { NOW, OPERATOR, RECORD_ORIGIN, SITE, topic } from "../support/record-store.ts";
import { until } from "../support/until.ts";
import { openWay } from "../support/way-to-database.ts";

const FOLLOWER = join(import.meta.dirname, "../support/follow-record.ts");
const EVENT = defineBuiltInType({
  name: "event",
  label: "Event",
  plural: "Events",
  description: "Something that happens.",
  listPath: "/events",
});
/** Allows for a poll of the log each second, and time to react. */
const POLLED_MILLISECONDS = 2500;

async function save({ record }: Instance, ...titles: string[]): Promise<void> {
  for (const title of titles) await saveItem(record.content, OPERATOR, topic(title), NOW);
}

function shows({ reading }: Instance, path: string): boolean {
  return reading.resolve(path).kind === "item";
}

/** An instance with one topic, and a second instance that follows its log. */
async function openPair(instances: Instances): Promise<{ one: Instance; other: Instance }> {
  const one = await instances.open("one");
  await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
  await save(one, "First");
  return { one, other: await instances.open("other") };
}

async function assertNoDifferent(instances: Instances, copy: Instance): Promise<void> {
  await untilUpToDate(copy);
  const anew = await instances.open(`anew ${performance.now()}`);
  assert.deepEqual(readingDump(copy.file), readingDump(anew.file));
  await anew.close();
}

/** Differs between copies, unlike everything else: when a copy was built. */
function madeIn(file: string): unknown {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare("SELECT made FROM followed").get()?.["made"];
}

onPostgres("a copy that cannot be followed on", () => {
  it("is rebuilt after a gap in the log", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    await other.close();
    await save(one, "Second", "Third");
    await instances.database.query("DELETE FROM changes WHERE sequence = 3");
    const again = await instances.open("other");
    assert(shows(again, "/topics/second") && shows(again, "/topics/third"));
    await assertNoDifferent(instances, again);
  });

  it("is rebuilt when the next entries were pruned, and only then", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    await other.close();
    const made = madeIn(other.file);
    await save(one, "Second", "Third");
    await one.record.changeLog?.prune();
    const followed = await instances.open("other");
    assert(shows(followed, "/topics/third"));
    assert.equal(madeIn(followed.file), made, "nothing was old enough to be let go");
    await followed.close();
    await save(one, "Fourth", "Fifth");
    await instances.database.query("UPDATE changes SET at = '2020-01-01T00:00:00.000000Z'");
    await one.record.changeLog?.prune();
    const left = await instances.database.query("SELECT sequence FROM changes");
    assert.deepEqual(left, [{ sequence: "6" }], "the last one stays");
    const anew = await instances.open("other");
    assert(shows(anew, "/topics/fifth"));
    assert.notEqual(madeIn(anew.file), made);
  });

  it("is rebuilt while in use, and shows the old state until then", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    const made = madeIn(other.file);
    await instances.database.query("DELETE FROM changes; UPDATE change_state SET last = last + 5");
    await until(() => madeIn(other.file) !== made && madeIn(one.file) !== made);
    assert(shows(other, "/topics/first"));
    const anew = madeIn(other.file);
    await sleep(POLLED_MILLISECONDS);
    assert.equal(madeIn(other.file), anew, "once is enough");
    await save(one, "Second");
    await until(() => shows(other, "/topics/second"));
    await assertNoDifferent(instances, other);
  });

  it("is waited for by who wrote what it is made anew for", async () => {
    await using instances = await openInstances();
    const { one } = await openPair(instances);
    const { url } = instances.database;
    await using listening = openNotificationListener(url, null);
    await using source = openChangeLog({
      ...{ url, listening },
      reach: new DatabaseReachability(null),
      watch: new HangDetector(url),
    });
    const file = instances.fileOf("third");
    const shownTypes = () => {
      using db = new DatabaseSync(file, { readOnly: true });
      return String(db.prepare("SELECT types FROM reading_site").get()?.["types"]);
    };
    const waited: Promise<string>[] = [];
    const onProgress = () => void waited.push(follower.untilApplied(3).then(shownTypes));
    await (await openFollower({ file, origin: RECORD_ORIGIN, source, log: null })).close();
    await using follower = await openFollower({
      file,
      origin: RECORD_ORIGIN,
      source,
      log: null,
      onProgress,
    });
    await saveSite(one.record.content, OPERATOR, SITE, [EVENT], NOW);
    await until(() => waited.length > 0);
    for (const types of await Promise.all(waited)) assert.match(types, /event/);
  });

  it("takes its instance out of service only for faults of its own", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    await other.close();
    const seen: boolean[] = [];
    const onProgress = () => void seen.push(again.record.replica?.state().isCurrent ?? false);
    const again = await instances.open("other", { onProgress });
    await saveSite(one.record.content, OPERATOR, SITE, [EVENT], NOW);
    await until(() => again.reading.types().has("event"));
    assert.deepEqual(seen, [true]);
    await instances.database.query("DELETE FROM changes; UPDATE change_state SET last = last + 5");
    await until(() => seen.length > 1);
    assert.deepEqual(seen, [true, false]);
    await until(() => again.record.replica?.state().isCurrent === true);
  });

  it("is rebuilt for another record", async () => {
    await using instances = await openInstances();
    await using elsewhere = await openInstances();
    const { other } = await openPair(instances);
    await other.close();
    const different = await elsewhere.open("different");
    await saveSite(different.record.content, OPERATOR, SITE, [], NOW);
    await save(different, "Different", "More", "Still more");
    const moved = await elsewhere.open("moved", { file: other.file });
    assert.equal(moved.record.replica?.state().position, 4);
    const { reading } = await instances.open("looked at", { file: other.file, follows: false });
    assert.equal(reading.resolve("/topics/first").kind, "absent");
    assert.equal(reading.resolve("/topics/different").kind, "item");
  });

  it("is rebuilt for another origin", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    const linked = topic("Linked", { body: "[here](https://quotations.example/topics/first)" });
    await saveItem(one.record.content, OPERATOR, linked, NOW);
    await other.close();
    const moved = await instances.open("other", { origin: "https://elsewhere.example" });
    const found = moved.reading.resolve("/topics/linked");
    assert(found.kind === "item");
    assert.match(found.item.html, /href="https:\/\/quotations\.example\/topics\/first"/);
  });

  it("is rebuilt after a restore of an older state, even one with new changes", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    await save(one, "Lost");
    await untilUpToDate(other);
    await instances.database.query(
      `UPDATE items SET status = 'draft' WHERE path = '/topics/lost';
       DELETE FROM changes WHERE sequence = 3; UPDATE change_state SET last = 2`,
    );
    await until(() => !shows(other, "/topics/lost") && !shows(one, "/topics/lost"));
    await save(one, "Kept");
    await until(() => shows(other, "/topics/kept"));
    await other.close();
    await instances.database.query(
      "UPDATE changes SET at = '2026-01-01T00:00:00.000000Z' WHERE sequence = 3",
    );
    const made = madeIn(other.file);
    await instances.open("other");
    assert.notEqual(madeIn(other.file), made);
  });

  for (const [what, text] of [
    ["was cut off", '{"form":1,"numbers":{},"chan'],
    ["is of a newer version", '{"form":2,"isContinued":false,"numbers":{},"changes":[]}'],
    [
      "speaks of what is not known",
      '{"form":1,"isContinued":false,"numbers":{},"changes":[{"kind":"x"}]}',
    ],
  ] as const) {
    it(`is rebuilt when an entry ${what}`, async () => {
      await using instances = await openInstances();
      const { one, other } = await openPair(instances);
      await other.close();
      await save(one, "Second", "Third");
      await instances.database.query(`UPDATE changes SET changes = '${text}' WHERE sequence = 3`);
      const again = await instances.open("other");
      await assertNoDifferent(instances, again);
      assert(shows(again, "/topics/second"));
    });
  }

  for (const bytes of ["", "This is no database. ".repeat(300)]) {
    it(`is rebuilt in place of a file of ${bytes.length} bytes`, async () => {
      await using instances = await openInstances();
      await openPair(instances);
      const file = instances.fileOf("third");
      mkdirSync(dirname(file));
      writeFileSync(file, bytes);
      const third = await instances.open("third");
      assert(shows(third, "/topics/first"));
    });
  }
});

onPostgres("an instance whose connections are cut", () => {
  it("hears again, and looks by itself until then", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    const cut = () =>
      instances.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    await cut();
    await save(one, "Second").catch(() => save(one, "Second"));
    await until(() => shows(other, "/topics/second"));
    await until(async () => {
      const [heard] = await instances.database.query(
        `SELECT count(*) AS n FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'commonplace listening'`,
      );
      return heard?.["n"] === "2";
    });
    await save(one, "Third");
    await until(() => shows(other, "/topics/third"));
  });

  it("keeps serving, reports that it is cut off, and catches up", async () => {
    await using instances = await openInstances();
    const { one, other } = await openPair(instances);
    await other.close();
    await using way = await openWay(instances.database.url);
    const far = await instances.open("other", { url: way.url });
    await way.cut();
    await save(one, "Second");
    await until(() => far.record.replica?.state().isReachable === false);
    assert(shows(far, "/topics/first"));
    assert.equal(far.record.replica?.state().isCurrent, true);
    await way.mend();
    await until(() => shows(far, "/topics/second"));
    await until(() => far.record.replica?.state().isReachable === true);
  });
});

onPostgres("several processes on one folder", () => {
  it("share a copy that any of them updates", async () => {
    await using instances = await openInstances();
    const one = await instances.open("same");
    await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
    const second = await instances.open("same");
    await using child = follow(instances, "same");
    await child.told("following");
    await Promise.all([save(one, "A", "B", "C", "D"), save(second, "E", "F", "G", "H")]);
    for (const letter of "abcdefgh") assert(shows(one, `/topics/${letter}`), letter);
    await assertNoDifferent(instances, second);
  });

  it("build it once when they start together", async () => {
    await using instances = await openInstances();
    await openPair(instances);
    await using first = follow(instances, "new");
    await using second = follow(instances, "new");
    await Promise.all([first.told("following"), second.told("following")]);
    await assertNoDifferent(instances, await instances.open("new"));
  });
});

onPostgres("an instance that is killed", () => {
  it("while it makes its copy makes one the next time", async () => {
    await using instances = await openInstances();
    const { one } = await openPair(instances);
    await editAtRandom(one.record, 5, 40);
    const child = follow(instances, "killed");
    await child.told("making");
    await child[Symbol.asyncDispose]();
    const copy = await instances.open("killed");
    await assertNoDifferent(instances, copy);
    assert(!existsSync(`${copy.file}.new`));
  });

  it("while it follows goes on where it was", { timeout: 120_000 }, async () => {
    await using instances = await openInstances();
    const { one } = await openPair(instances);
    const roll = dice(99);
    for (let round = 1; round <= 4; round += 1) {
      const child = follow(instances, "killed");
      await child.told("following");
      const editing = editAtRandom(one.record, round, 30);
      await sleep(roll(400));
      await child[Symbol.asyncDispose]();
      await editing;
    }
    await assertNoDifferent(instances, await instances.open("killed"));
  });
});

interface FollowingProcess extends AsyncDisposable {
  told(what: string): Promise<void>;
}

/** Killed on disposal. */
function follow({ database, fileOf }: Instances, name: string): FollowingProcess {
  const place = JSON.stringify({ file: fileOf(name), url: database.url });
  const child = spawn(process.execPath, [FOLLOWER, place], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return {
    async told(what) {
      for await (const line of createInterface({ input: child.stdout })) if (line === what) return;
      assert.fail(`it never said "${what}"`);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
