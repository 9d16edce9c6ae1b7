import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";
import { sendTo } from "../support/send-to.ts";
import { until } from "../support/until.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");
const PATH = "/about";
/** By then the first sweep has begun. */
const FIRST_SWEEP_MILLISECONDS = 11_000;

async function filled(more: Record<string, string> = {}): Promise<CommandLine> {
  const line = openCommandLine(more);
  const { code, err } = await line.run("import", FIXTURE);
  assert.equal(code, 0, err);
  return line;
}

/** Turns over the bytes of the first page of a table, its header included. */
function spoil(file: string, table: string): void {
  using db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = DELETE");
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table);
  const size = db.prepare("PRAGMA page_size").get();
  db.close();
  const end = Number(page?.["rootpage"]) * Number(size?.["page_size"]);
  const bytes = readFileSync(file);
  for (let at = end - Number(size?.["page_size"]); at < end; at += 1) {
    bytes[at] = 0xff ^ (bytes[at] ?? 0);
  }
  writeFileSync(file, bytes);
}

/** Starts the service and waits until it shows a page; what it logged. */
async function served({ environment, run }: CommandLine): Promise<string[]> {
  const logged: string[] = [];
  const log = createLog("info", (text) => logged.push(text));
  let aheadMilliseconds = 0;
  const monotonic = () => performance.now() + aheadMilliseconds;
  await using app = await openApp(readConfig(environment), { log, monotonic });
  aheadMilliseconds = FIRST_SWEEP_MILLISECONDS;
  const answer = async () => await sendTo(app.http, PATH, { headers: { accept: "text/html" } });
  await until(async () => (await answer()).status === 200);
  if (environment["DATABASE_URL"] === undefined) {
    await until(async () => (await run("verify")).code === 0);
  }
  return logged;
}

for (const table of [
  "reading_state",
  "reading_made",
  "reading_site",
  "reading_item",
  "reading_row",
]) {
  it(`starts on a store whose table ${table} is damaged, and shows its pages again`, async () => {
    using line = await filled();
    spoil(join(line.folder, "data/commonplace.db"), table);
    await served(line);
  });
}

it("starts on a store with a damaged definition of a table of the reading copy", async () => {
  using line = await filled();
  const store = join(line.folder, "data/commonplace.db");
  using db = new DatabaseSync(store, { defensive: false });
  db.exec("PRAGMA writable_schema = ON");
  db.exec("UPDATE sqlite_schema SET sql = 'CREATE TALBE x' WHERE name = 'reading_body'");
  db.close();
  await served(line);
});

it("shows the site while tables that are too damaged to be dropped are made again", async () => {
  using line = await filled();
  spoil(join(line.folder, "data/commonplace.db"), "reading_posting");
  await using app = await openApp(readConfig(line.environment), { log: createLog("silent") });
  const statusOf = async () => (await sendTo(app.http, PATH)).status;
  let isRebuilt = false;
  const rebuilding = app.record.rebuildReadingCopy().finally(() => {
    isRebuilt = true;
  });
  const statuses = new Set<number>();
  while (!isRebuilt) {
    statuses.add(await statusOf());
    await nextTurn();
  }
  await rebuilding;
  assert.deepEqual([...statuses], [200]);
  assert.equal(await statusOf(), 200);
  assert.equal((await line.run("verify")).code, 0);
});

it("logs a damaged item that a start leaves out of a new reading copy", async () => {
  using line = await filled();
  const store = join(line.folder, "data/commonplace.db");
  using db = new DatabaseSync(store);
  db.exec("UPDATE items SET hash = hash + 1 WHERE type = 'topic'");
  // As an upgrade does, which makes a new copy before anything else is open.
  db.exec("UPDATE reading_made SET version = 0");
  db.close();
  const logged: string[] = [];
  const log = createLog("info", (text) => logged.push(text));
  await using app = await openApp(readConfig(line.environment), { log });
  assert.equal((await sendTo(app.http, PATH)).status, 200);
  assert(
    logged.some((text) => /"table":"items".*The record is damaged/.test(text)),
    logged.join(),
  );
});

/** Alters one key in the first page of the relations, by which searches of half the table go astray. */
function misleadSearches(file: string): void {
  using db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = DELETE");
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'relations'").get();
  const size = Number(db.prepare("PRAGMA page_size").get()?.["page_size"]);
  const ids = db.prepare("SELECT from_id FROM relations ORDER BY from_id").all();
  db.close();
  const bytes = readFileSync(file);
  const start = (Number(root?.["rootpage"]) - 1) * size;
  const page = bytes.subarray(start, start + size);
  const places = new Set(ids.map(({ from_id }) => page.indexOf(String(from_id))));
  places.delete(-1);
  const [place] = [...places].slice(Math.floor(places.size / 2));
  assert(place !== undefined, "the first page holds no key");
  page[place] = "z".charCodeAt(0);
  writeFileSync(file, bytes);
}

it("never shows items without the relations that a damaged key hides", async () => {
  using line = await filled();
  const store = join(line.folder, "data/commonplace.db");
  const shown = async () => {
    await using app = await openApp(readConfig(line.environment), { log: createLog("silent") });
    using db = new DatabaseSync(store, { readOnly: true });
    const items = db.prepare("SELECT path FROM items WHERE status = 'published'").all();
    const texts = new Map<string, string | null>();
    for (const path of items.map(({ path }) => `${path}.md`).filter((path) => path !== "/.md")) {
      const answer = await sendTo(app.http, path);
      texts.set(path, answer.status === 200 ? await answer.text() : null);
    }
    return texts;
  };
  const before = await shown();
  misleadSearches(store);
  using db = new DatabaseSync(store);
  db.exec("UPDATE reading_made SET version = 0");
  db.close();
  const after = await shown();
  const left = [...after].filter(([, text]) => text === null).map(([path]) => path);
  assert(left.length > 0 && left.length <= 2, `left out: ${left.join(", ")}`);
  const quotations = [...before.keys()].filter((path) => path.startsWith("/quotations/"));
  const kept = quotations.filter((path) => !left.includes(path));
  assert.deepEqual(
    kept.map((path) => saidOf(after.get(path))),
    kept.map((path) => saidOf(before.get(path))),
  );
  assert(kept.some((path) => saidOf(before.get(path)).includes("— [")));
});

/** A quotation with its author, work and topics, without the lists below it. */
function saidOf(text: string | null | undefined): string {
  return text?.split("\n## ", 1)[0] ?? "";
}

it("refuses a record that cannot be read, and says what to do", async () => {
  using line = await filled();
  spoil(join(line.folder, "data/commonplace.db"), "migrations");
  const { code, err } = await line.run("keys", "list");
  assert.equal(code, 1);
  assert.match(err, /it is damaged\. "commonplace verify" says where; .* "commonplace restore"$/);
});

onPostgres("a start with a damaged copy", () => {
  for (const table of ["followed", "reading_state", "reading_item", "reading_posting"]) {
    it(`rebuilds it where ${table} is damaged`, async () => {
      await using database = await createDatabase();
      using line = await filled({ DATABASE_URL: database.url });
      await served(line);
      spoil(join(line.folder, "data/reading.db"), table);
      await served(line);
      await served(line);
    });
  }

  it("leaves a damaged item out, and finds it in the sweep", async () => {
    await using database = await createDatabase();
    using line = await filled({ DATABASE_URL: database.url });
    await database.query("UPDATE items SET title = title || 'x' WHERE path LIKE '/topics/%'");
    const logged: string[] = [];
    const log = createLog("info", (text) => logged.push(text));
    await using app = await openApp(readConfig(line.environment), { log });
    assert.equal((await sendTo(app.http, PATH)).status, 200);
    assert.equal((await sendTo(app.http, "/topics/time")).status, 404);
    await database.query("UPDATE revisions SET item = item || ' '");
    await until(() => logged.some((text) => /"table":"items".*The record is damaged/.test(text)));
  });
});
