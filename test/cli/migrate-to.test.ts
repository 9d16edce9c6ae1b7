import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { moveStore } from "../../src/app/moving.ts";
import { openRecordForCommand } from "../../src/app/store.ts";
import { openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import {
  type CommandLine,
  INHERITED,
  MAIN,
  openCommandLine,
  openSiteLine,
} from "../support/command-line.ts";
import { dice } from "../support/dice.ts";
import { wholeRecordDump } from "../support/dumps.ts";
import { enlarge, openFullStore } from "../support/full-store.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { sendTo } from "../support/send-to.ts";

const KILLS = 3;
const PAGES = [
  ...["/", "/topics", "/topics/time", "/topics/time.md", "/topics/awkward", "/topics/draft"],
  ...["/search?q=time", "/search?q=every+man+lives", "/2019/old.html", "/sitemap.xml", "/llms.txt"],
];

function storeIn(line: CommandLine, folder = "data"): string {
  return join(line.folder, folder, "commonplace.db");
}

/** The same settings with `DATABASE_URL` set, and unset again with what is returned. */
function withDatabase(line: CommandLine, { url }: TestDatabase): Disposable {
  line.environment["DATABASE_URL"] = url;
  return {
    [Symbol.dispose]: () => {
      delete line.environment["DATABASE_URL"];
    },
  };
}

function hashesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /\/(?:media|jobs)\//.test(path) && statSync(path).isFile())
    .map((path) => `${path.slice(folder.length)} ${hashOf(path)}`)
    .sort();
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Tables that others than the session of a move see. */
async function tablesIn(database: TestDatabase): Promise<number> {
  const [row] = await database.query(
    "SELECT count(*) AS count FROM pg_tables WHERE schemaname = current_schema()",
  );
  return Number(row?.["count"]);
}

/** A command that has got to work in the database. */
const IS_MOVING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'commonplace moving' AND backend_xid IS NOT NULL`;

/** Starts the command and kills it so long after `hasBegun`; resolves with its exit code, null if killed. */
async function killed(
  line: CommandLine,
  words: readonly string[],
  { hasBegun, milliseconds }: { hasBegun: () => Promise<boolean>; milliseconds: number },
): Promise<number | null> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...INHERITED, ...line.environment },
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  while (child.exitCode === null && !(await hasBegun())) await sleep(5);
  await sleep(milliseconds);
  child.kill("SIGKILL");
  return await ended;
}

/** Those held of the database's own. */
const LOCKS = `FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND granted AND datname = current_database()`;

/** Takes the lock that a move has, for so long. */
async function otherMove(database: TestDatabase, { seconds }: { seconds: number }) {
  const held = database
    .query(`SELECT pg_advisory_lock(4022250973), pg_sleep(${seconds})`)
    .catch(() => []);
  while ((await database.query(`SELECT pid ${LOCKS}`)).length === 0) await sleep(5);
  return { ended: held };
}

/** What visitors and agents get. */
async function shown(line: CommandLine): Promise<string[]> {
  await using app = await openApp(readConfig(line.environment), { log: createLog("silent") });
  const answers: string[] = [];
  for (const path of PAGES) {
    const answer = await sendTo(app.http, path);
    answers.push(`${answer.status} ${path}\n${await answer.text()}`);
  }
  return answers;
}

/** A store of its own that holds the same. */
function copyOf(line: CommandLine): CommandLine {
  const copy = openCommandLine();
  cpSync(join(line.folder, "data"), join(copy.folder, "data"), { recursive: true });
  return copy;
}

/** Moves, which must end well. */
async function move(line: CommandLine, ...words: string[]): Promise<void> {
  const { code, err } = await line.run("migrate-to", ...words);
  assert.equal(code, 0, err);
}

onPostgres("migrate-to", () => {
  let full: CommandLine;
  before(async () => {
    full = await openFullStore();
  });
  after(() => full[Symbol.dispose]());

  it("takes everything there and back", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    const before = wholeRecordDump(storeIn(line));
    const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
    assert.deepEqual(empty, [], "every table has rows");

    const there = await line.run("migrate-to", database.url);
    assert.equal(there.code, 0, there.err);
    assert.match(there.out, /^items +\d+ +\d+ +[0-9a-f]{12} +[0-9a-f]{12} +same$/m);
    assert.match(there.out, /^Files: 3, /m);
    assert.match(there.out, /\nMoved\. Start the servers with DATABASE_URL set/);
    assert.deepEqual(wholeRecordDump(storeIn(line)), before, "the source is as it was");
    const [numbers] = await database.query(
      "INSERT INTO searches (day, source, query, count, hits) VALUES ('d', 's', 'q', 1, 1) RETURNING number",
    );
    const last = before["sqlite_sequence"]?.find((row) => row.includes("searches")) ?? "";
    assert(last.includes(String(Number(numbers?.["number"]) - 1)), "numbers go on");
    await database.query("DELETE FROM searches WHERE day = 'd'");
    await database.query(
      `SELECT setval('searches_number_seq', ${Number(numbers?.["number"]) - 1})`,
    );

    using _ = withDatabase(line, database);
    const back = await line.run("migrate-to", join(line.folder, "back"), "--json");
    assert.equal(back.code, 0, back.err);
    const { complete, tables, files } = JSON.parse(back.out);
    assert.equal(complete, true);
    assert(tables.every(({ differing }: { differing: number }) => differing === 0));
    assert.equal(files.files, 3);
    assert.deepEqual(wholeRecordDump(storeIn(line, "back")), before);
    assert.deepEqual(hashesIn(join(line.folder, "back")), hashesIn(join(line.folder, "data")));
  });

  it("makes a database like one that a first start makes", async () => {
    using line = copyOf(full);
    await using moved = await createDatabase();
    await using made = await createDatabase();
    await move(line, moved.url);
    using _fresh = await openSiteLine({ DATABASE_URL: made.url });
    const shape = `
      SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS part
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`;
    const ours = (rows: Record<string, unknown>[]) => rows.map(({ part }) => String(part));
    assert.deepEqual(ours(await moved.query(shape)), ours(await made.query(shape)));
  });

  it("shows the same pages and finds the same afterwards", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    const before = await shown(line);
    await move(line, database.url);
    {
      using _ = withDatabase(line, database);
      assert.deepEqual(await shown(line), before, "from the database");
      await move(line, join(line.folder, "back"));
    }
    line.environment["DATA_DIR"] = join(line.folder, "back");
    assert.deepEqual(await shown(line), before, "from the new folder");
  });

  it("leaves nothing where it was killed, and a second run moves everything", async () => {
    using line = copyOf(full);
    enlarge(storeIn(line), 30_000);
    await using database = await createDatabase();
    const before = wholeRecordDump(storeIn(line));
    const roll = dice(20_261_121);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const exit = await killed(line, ["migrate-to", database.url], {
        hasBegun: async () => (await database.query(IS_MOVING)).length > 0,
        milliseconds: roll(500),
      });
      assert.equal(exit, null, "killed before its end");
      assert.equal(await tablesIn(database), 0);
    }
    await move(line, database.url);

    using _ = withDatabase(line, database);
    const back = join(line.folder, "back");
    const moving = `${storeIn(line, "back")}.moving`;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const exit = await killed(line, ["migrate-to", back], {
        hasBegun: async () => existsSync(moving) && statSync(moving).size > 0,
        milliseconds: roll(400),
      });
      assert.equal(exit, null, "killed before its end");
      assert(!existsSync(storeIn(line, "back")));
    }
    {
      delete line.environment["DATABASE_URL"];
      line.environment["DATA_DIR"] = back;
      const { code, err } = await line.run("keys", "list");
      assert.equal(code, 1);
      assert.match(
        err,
        /^error: Cannot use .*: a move into it has not ended\. Run the same migrate-to/,
      );
      line.environment["DATA_DIR"] = join(line.folder, "data");
      line.environment["DATABASE_URL"] = database.url;
    }
    await move(line, back);
    assert.deepEqual(wholeRecordDump(storeIn(line, "back")), before);
    assert.deepEqual(hashesIn(back), hashesIn(join(line.folder, "data")));
    assert.deepEqual(readdirSync(back).sort(), ["commonplace.db", "jobs", "media"]);
  });

  it("waits for one before it whose end the database has not noticed, but not for one that goes on", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    const before = await otherMove(database, { seconds: 1 });
    await move(line, database.url);
    await before.ended;
    await using other = await createDatabase();
    const goingOn = await otherMove(other, { seconds: 60 });
    const { code, err } = await line.run("migrate-to", other.url);
    assert.equal(code, 1);
    assert.match(err, /^error: Another move into the database \S+ on \S+ is running$/m);
    await other.query(`SELECT pg_terminate_backend(pid) ${LOCKS}`);
    await goingOn.ended;
  });

  it("says what to do when the connection breaks, and then moves everything", async () => {
    using line = copyOf(full);
    enlarge(storeIn(line), 60_000);
    await using database = await createDatabase();
    let hasEnded = false;
    const broken = line.run("migrate-to", database.url).finally(() => {
      hasEnded = true;
    });
    let isCut = false;
    while (!isCut && !hasEnded) {
      const cut = await database.query(
        `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'commonplace moving'
           AND backend_xid IS NOT NULL`,
      );
      isCut = cut.some(({ done }) => done === true);
    }
    const { code, err } = await broken;
    assert.equal(code, 1);
    assert.match(
      err,
      /error: The connection to the database was lost\. Run the same command again/,
    );
    await move(line, database.url);
  });

  it("tells every planted difference by its place, never what stands there", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    await move(line, database.url);
    await move(line, database.url, "--verify-only");
    await database.query(
      "UPDATE items SET title = title || ' geheim' WHERE path = '/topics/draft'",
    );
    await database.query("DELETE FROM path_claims WHERE path = '/topics/awkward'");
    await database.query("INSERT INTO settings VALUES ('planted', 'geheim')");
    await database.query("SELECT setval('audit_number_seq', 1)");
    await database.query("UPDATE file_pieces SET bytes = set_byte(bytes, 0, 7) WHERE bytes <> ''");
    const { code, out, err } = await line.run("migrate-to", database.url, "--verify-only");
    assert.equal(code, 1);
    assert.match(err, /^error: items \S+ differs in title$/m);
    assert.match(err, /^error: path_claims \/topics\/awkward is missing in the target$/m);
    assert.match(err, /^error: settings planted is in the target only$/m);
    assert.match(err, /^error: audit: the next row would get the number 2, not \d+$/m);
    assert.match(err, /^error: media\/[0-9a-f]{32}\.png has other bytes in the target$/m);
    assert.match(err, /^error: jobs\/[\w-]+\.jsonl has other bytes in the target$/m);
    assert.equal(err.split("\n").length, 6);
    assert.match(out, /^items .* 1 differ$/m);
    assert.match(out, /The two sides differ/);
    assert.doesNotMatch(out + err, /geheim/);
  });

  it("moves nothing when the two sides differ in the end", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    await move(line, database.url);
    const back = join(line.folder, "back");
    const places = { from: { url: database.url }, to: { folder: back } };
    const outcome = await moveStore(readConfig(line.environment), places, (step) => {
      if (step !== "Comparing") return;
      const [name = ""] = readdirSync(join(back, "media"));
      writeFileSync(join(back, "media", name), "other");
    });
    assert.equal(outcome.isSame, false);
    assert.match(outcome.files.differences.join(), /^media\/\S+ has other bytes in the target$/);
    assert(!existsSync(back), "the folder is gone");
    using _ = withDatabase(line, database);
    await move(line, back);
  });

  it("refuses targets that hold anything else, and touches nothing there", async () => {
    using line = copyOf(full);
    await using foreign = await createDatabase();
    await foreign.query("CREATE TABLE visitors (name text)");
    const refused = await line.run("migrate-to", foreign.url);
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /it holds tables of something else \(visitors\); name an empty database$/,
    );
    const tables = "SELECT count(*) AS count FROM pg_tables WHERE schemaname = 'public'";
    assert.deepEqual(await foreign.query(tables), [{ count: "1" }]);

    await using used = await createDatabase();
    using other = openCommandLine({ DATABASE_URL: used.url });
    const topic = '{"type":"topic","path":"/topics/other","title":"Other"}\n';
    assert.equal((await other.run("import", other.file("other.jsonl", topic))).code, 0);
    assert.match(
      (await line.run("migrate-to", used.url)).err,
      /it holds a record already; name an empty database, or compare the two with --verify-only$/,
    );
    assert.deepEqual(await used.query("SELECT path FROM items WHERE path LIKE '/topics/%'"), [
      { path: "/topics/other" },
    ]);

    await using moved = await createDatabase();
    await move(line, moved.url);
    assert.match((await line.run("migrate-to", moved.url)).err, /it holds a record already/);
    await move(line, moved.url, "--verify-only");

    using _ = withDatabase(line, moved);
    const folder = join(line.folder, "mine");
    mkdirSync(folder);
    writeFileSync(join(folder, "letter.txt"), "mine");
    const taken = /^error: Cannot move to .*: something is there already; name a new folder$/;
    assert.match((await line.run("migrate-to", folder)).err, taken);
    assert.match((await line.run("migrate-to", join(line.folder, "data"))).err, taken);
    assert.deepEqual(readdirSync(folder), ["letter.txt"]);
    const empty = join(line.folder, "empty");
    mkdirSync(empty);
    await move(line, empty);
  });

  it("refuses a source that is in use, and moves nothing from one that changes meanwhile", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    {
      await using _open = await openRecordForCommand(readConfig(line.environment));
      const { code, err } = await line.run("migrate-to", database.url);
      assert.equal(code, 1);
      assert.match(err, /commonplace\.db is in use; stop the server and other commands first$/);
    }
    assert.equal(await tablesIn(database), 0);
    await move(line, database.url);

    using _ = withDatabase(line, database);
    const back = join(line.folder, "back");
    {
      await using _open = await openRecordForCommand(readConfig(line.environment));
      const { code, err } = await line.run("migrate-to", back);
      assert.equal(code, 1);
      assert.match(
        err,
        /is in use \(\d+ connections of Commonplace\); stop all servers on it first$/,
      );
    }
    let wrote: Promise<unknown> | null = null;
    const { changesSince } = await moveStore(
      readConfig(line.environment),
      { from: { url: database.url }, to: { folder: back } },
      () => {
        wrote ??= database.query(
          "INSERT INTO audit (at, actor, action, target) VALUES ('a', 'b', 'c', 'd')",
        );
      },
    );
    await wrote;
    assert.equal(changesSince, 1);
    assert(!existsSync(back));
    await move(line, back);
  });

  it("takes a text with U+0000 along, which PostgreSQL cannot hold", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    {
      using db = new DatabaseSync(storeIn(line));
      db.prepare("UPDATE messages SET text = ?").run("before\0after");
    }
    const { code, err } = await line.run("migrate-to", database.url);
    assert.equal(code, 0, err);
    const texts = await database.query("SELECT DISTINCT text FROM messages");
    assert.deepEqual(texts, [{ text: "before\uFFFDafter" }]);
  });

  it("never prints the password of an address", async () => {
    using line = copyOf(full);
    await using database = await createDatabase();
    const url = new URL(database.url);
    const { password } = url;
    for (const words of [
      [url.href],
      [url.href, "more"],
      [url.href.replace(/\/[^/]*$/, "/not_there")],
    ]) {
      const { out, err } = await line.run("migrate-to", ...words);
      assert(!`${out}${err}`.includes(`:${password}@`), words.length.toString());
    }
    url.password = "geheim";
    const { code, err } = await line.run("migrate-to", `${url.href}/too/much`);
    assert.equal(code, 2);
    assert.doesNotMatch(err, /geheim/);
  });
});

it("migrate-to says what is missing on its command line", async () => {
  using line = openCommandLine();
  const missing: [words: string[], told: RegExp][] = [
    [
      ["migrate-to"],
      /^error: Say where to move: set DATABASE_URL, or name a postgres:\/\/ address/,
    ],
    [["migrate-to", "folder"], /^error: Set DATABASE_URL to the database to move from/],
    [["migrate-to", "mysql://a:geheim@b/c"], /^error: Cannot move to this address: use postgres:/],
    [["migrate-to", "a", "b"], /^error: Name one place to move to$/],
    [["migrate-to", ""], /^error: Name a place to move to: the one given is empty$/],
  ];
  for (const [words, told] of missing) {
    const { code, err } = await line.run(...words);
    assert.equal(code, 2);
    assert.match(err, told);
  }
});
