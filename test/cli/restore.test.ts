import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { finishDataFolderRestore } from "../../src/app/data-folder.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, type CommandResult, openCommandLine } from "../support/command-line.ts";
import { failDisk } from "../support/failing-disk.ts";
import { png } from "../support/media-bytes.ts";

/** More than any restore here has. */
const STEPS_MAX = 200;

const lines: CommandLine[] = [];
/** A site and a backup of another one. */
let old: string;
let backup: string;
let alone: string;

before(async () => {
  const [oldLine, newLine] = [await site("Old", 3), await site("New", 4)];
  old = join(oldLine.folder, "data");
  backup = join(newLine.folder, "backup");
  alone = join(newLine.folder, "alone.db");
  for (const place of [backup, alone]) assert.equal((await newLine.run("backup", place)).code, 0);
});

after(() => {
  for (const line of lines) line[Symbol.dispose]();
});

describe("a restore", () => {
  const cases: [name: string, hasOld: boolean, words: () => string[]][] = [
    ["into an empty folder", false, () => [backup]],
    ["over a site", true, () => [backup, "--force"]],
    ["of the store alone over a site", true, () => [alone, "--force"]],
  ];
  for (const [name, hasOld, words] of cases) {
    it(`${name} ends as if it had not begun or as if it had ended, wherever it is killed`, async () => {
      const outcomes = await atEachStep(hasOld, words(), { code: "EIO", isLast: true });
      assert.ok(outcomes.steps > 10 && outcomes.steps < STEPS_MAX, `${outcomes.steps} steps`);
      assert.ok(outcomes.before > 0 && outcomes.after > 0, JSON.stringify(outcomes));
    });
  }

  it("says so when a step fails, and loses nothing", async () => {
    await atEachStep(true, [backup, "--force"], { code: "ENOSPC", isLast: false });
  });

  it("is finished by a server, a command or a backup that comes next", async () => {
    for (const next of [
      ["media", "list"],
      ["backup", "next"],
      ["restore", alone, "--dry-run"],
    ]) {
      using line = startingWith(old);
      const [word = "", ...more] = next;
      const steps = (await killedAt(STEPS_MAX, line, [backup, "--force"])).steps;
      rmSync(data(line), { recursive: true });
      cpSync(old, data(line), { recursive: true });
      await killedAt(steps - 4, line, [backup, "--force"]);
      assert.ok(existsSync(join(data(line), "restore-journal.json")));
      const path = more.map((one) => (one === "next" ? join(line.folder, one) : one));
      await line.run(word, ...path);
      assert.deepEqual(leftovers(data(line)), []);
      assert.deepEqual(topics(data(line)), ["New"], next.join(" "));
    }
  });

  it("ends the sessions and codes that the backup holds", async () => {
    const line = await site("Revived", 1);
    const file = join(line.folder, "data/commonplace.db");
    const made = await line.run(
      "admins",
      "invite",
      "--email",
      "a@example.org",
      "--name",
      "A",
      "--role",
      "editor",
    );
    assert.equal(made.code, 0, made.err);
    {
      using db = new DatabaseSync(file);
      const at = "2099-01-01T00:00:00.000Z";
      const [admin] = db.prepare("SELECT id FROM admins").all();
      db.prepare(
        `INSERT INTO sessions (id, hash, admin_id, stage, device, network, created_at, used_at,
          confirmed_at, expires_at) VALUES ('s', 'h', ?, 'open', '', '', ?, ?, ?, ?)`,
      ).run(admin?.["id"] ?? "", at, at, at, at);
      db.prepare(
        `INSERT INTO key_requests (id, state, name, email, organisation, task, data, access,
          received_at, changed_at, revision, note, code_hash, code_expires_at)
          VALUES ('r', 'approved', '', '', '', '', '', 'read', ?, ?, 1, '', 'h', ?)`,
      ).run(at, at, at);
    }
    const kept = join(line.folder, "kept");
    assert.equal((await line.run("backup", kept)).code, 0);
    assert.equal((await line.run("restore", kept, "--force")).code, 0);
    using db = new DatabaseSync(file, { readOnly: true });
    for (const table of ["sessions", "admin_codes", "preview_codes"]) {
      assert.deepEqual(db.prepare(`SELECT * FROM ${table}`).all(), [], table);
    }
    const [request] = db.prepare("SELECT state, code_hash FROM key_requests").all();
    assert.deepEqual({ ...request }, { state: "expired", code_hash: null });
    assert.equal(db.prepare("SELECT count(*) AS n FROM admins").get()?.["n"], 1);
  });

  it("does not read a log that another store left behind", async () => {
    using line = openCommandLine();
    mkdirSync(data(line));
    {
      // A log with a change that the backup does not have, as a kill leaves it.
      using db = new DatabaseSync(join(old, "commonplace.db"));
      db.exec("PRAGMA journal_mode = WAL; UPDATE items SET title = 'Stray' WHERE type = 'topic'");
      cpSync(join(old, "commonplace.db-wal"), join(data(line), "commonplace.db-wal"));
      db.exec("UPDATE items SET title = 'Old' WHERE type = 'topic'");
    }
    const refused = await line.run("restore", backup);
    assert.match(refused.err, /there is a store already; add --force/);
    assert.equal((await line.run("restore", backup, "--force")).code, 0);
    assert.deepEqual(topics(data(line)), ["New"]);
    const [aside = ""] = readdirSync(data(line)).filter((name) => name.startsWith("replaced-"));
    assert.deepEqual(readdirSync(join(data(line), aside)), ["commonplace.db-wal"]);
  });

  it("of a store alone keeps the files that are there, and names those that are missing", async () => {
    using line = startingWith(old);
    const files = readdirSync(join(old, "media"));
    const { code, out, err } = await line.run("restore", alone, "--force");
    assert.equal(code, 0, err);
    assert.match(out, /no files of the site: those that are there stay/);
    assert.match(err, new RegExp(`missing, though the store names them: ${mediaIn(backup)[0]}`));
    assert.deepEqual(readdirSync(join(data(line), "media")), files);
  });

  it("without --force replaces no files either", async () => {
    using line = startingWith(old);
    rmSync(join(data(line), "commonplace.db"));
    for (const place of [backup, alone]) {
      const { code, err } = await line.run("restore", place);
      assert.equal(code, 1);
      assert.match(err, /there are files in media already; add --force to (replace|keep) them/);
    }
    assert.deepEqual(mediaIn(data(line)), mediaIn(old));
    assert.equal((await line.run("restore", backup, "--force")).code, 0);
    const [aside = ""] = readdirSync(data(line)).filter((name) => name.startsWith("replaced-"));
    assert.deepEqual(mediaIn(join(data(line), aside)), mediaIn(old));
  });

  it("replaces a store that is damaged beyond opening", async () => {
    using line = startingWith(old);
    writeFileSync(join(data(line), "commonplace.db"), "no database".repeat(1000));
    const { code, err } = await line.run("restore", backup, "--force");
    assert.equal(code, 0, err);
    assert.deepEqual(topics(data(line)), ["New"]);
  });

  it("refuses a backup that is not what its manifest says, and names the files", async () => {
    using line = startingWith(old);
    const [medium = ""] = mediaIn(backup);
    const spoilt: [RegExp, (place: string) => void][] = [
      [/media\/\w+\.png \(missing\)/, (place) => rmSync(join(place, "media", medium))],
      [
        /media\/\w+\.png \(3 bytes instead of \d+\)/,
        (place) => writeFileSync(join(place, "media", medium), "bad"),
      ],
      [
        /commonplace\.db \(other bytes\)/,
        (place) => {
          using db = new DatabaseSync(join(place, "commonplace.db"));
          db.exec("UPDATE items SET title = 'Bad' WHERE type = 'topic'");
        },
      ],
      [
        /its manifest\.json is damaged/,
        (place) => writeFileSync(join(place, "manifest.json"), "{"),
      ],
      [
        /its manifest\.json is damaged/,
        (place) => {
          const file = join(place, "manifest.json");
          writeFileSync(file, readFileSync(file, "utf8").replace("media/", "../media/"));
        },
      ],
    ];
    for (const [message, spoil] of spoilt) {
      const place = join(line.folder, "spoilt");
      cpSync(backup, place, { recursive: true });
      spoil(place);
      const { code, err } = await line.run("restore", place, "--force");
      assert.notEqual(code, 0);
      assert.match(err, message);
      rmSync(place, { recursive: true });
    }
    assert.deepEqual(state(data(line)), state(old));
    assert.deepEqual(leftovers(data(line)), []);
  });

  it("takes a backup of an earlier version, which has no manifest, and says so", async () => {
    using line = openCommandLine();
    const place = join(line.folder, "earlier");
    cpSync(backup, place, { recursive: true });
    rmSync(join(place, "manifest.json"));
    const { code, out, err } = await line.run("restore", place);
    assert.equal(code, 0, err);
    assert.match(out, /no manifest: its store was checked, its files were not compared/);
    assert.deepEqual(state(data(line)), state(backup));
  });

  it("of a folder that was copied with its log brings what is in the log", async () => {
    using line = openCommandLine();
    const place = join(line.folder, "copied");
    {
      using db = new DatabaseSync(join(old, "commonplace.db"));
      db.exec(
        "PRAGMA journal_mode = WAL; UPDATE items SET title = 'In the log' WHERE type = 'topic'",
      );
      cpSync(old, place, { recursive: true });
      db.exec("UPDATE items SET title = 'Old' WHERE type = 'topic'");
    }
    assert.equal((await line.run("restore", place)).code, 0);
    assert.deepEqual(topics(data(line)), ["In the log"]);
  });

  it("that is only tried says what it would do, and changes nothing", async () => {
    using line = startingWith(old);
    const { code, out } = await line.run("restore", backup, "--force", "--dry-run");
    assert.equal(code, 0);
    assert.match(out, /^Would restore the store and 1 files into .*, backed up at .* by version /);
    assert.match(out, /What is there would be kept in .*replaced-/);
    assert.deepEqual(state(data(line)), state(old));
    assert.deepEqual(leftovers(data(line)), []);
    const packed = join(line.folder, "packed.tar");
    assert.equal((await line.run("backup", packed)).code, 0);
    for (const from of [backup, packed]) {
      const place = join(line.folder, "missing");
      using empty = openCommandLine({ DATA_DIR: join(place, "data") });
      const tried = await empty.run("restore", from, "--dry-run");
      assert.equal(tried.code, 0, tried.err);
      assert(!existsSync(place));
    }
  });

  it("leaves everything to its owner only, whatever the umask", async () => {
    using line = startingWith(old);
    const umask = process.umask(0);
    try {
      const place = join(line.folder, "new/backup");
      assert.equal((await line.run("backup", place)).code, 0);
      assert.equal((await line.run("restore", place, "--force")).code, 0);
      const aside = readdirSync(data(line)).find((name) => name.startsWith("replaced-")) ?? "";
      const made = [place, join(data(line), "media"), join(data(line), "commonplace.db")].flatMap(
        (path) => [path, ...(statSync(path).isFile() ? [] : deepIn(path))],
      );
      for (const path of [...made, join(data(line), aside)]) {
        assert.equal(statSync(path).mode & 0o077, 0, path);
      }
    } finally {
      process.umask(umask);
    }
  });
});

describe("a backup", () => {
  it("lists what it holds, and warns of files that are damaged or missing", async () => {
    using line = startingWith(old);
    const [medium = ""] = mediaIn(old);
    const place = join(line.folder, "backup");
    writeFileSync(join(data(line), "media", medium), "damaged");
    const damaged = await line.run("backup", place);
    assert.match(damaged.err, new RegExp(`damaged in the media folder.*: ${medium}$`));
    const manifest = JSON.parse(readFileSync(join(place, "manifest.json"), "utf8"));
    assert.deepEqual(
      manifest.files,
      ["commonplace.db", `media/${medium}`].map((path) => {
        const bytes = readFileSync(join(place, path));
        return { path, bytes: bytes.length, sha256: sha256(bytes) };
      }),
    );
    rmSync(join(data(line), "media", medium));
    const missing = await line.run("backup", join(line.folder, "another"));
    assert.equal(missing.code, 0);
    assert.match(missing.err, new RegExp(`missing in the media folder.*: ${medium}$`));
  });
});

for (const word of ["backup", "export"]) {
  it(`${word} that is killed leaves nothing that the next one does not remove`, async () => {
    using line = startingWith(old);
    const places = join(line.folder, "places");
    for (let step = 1, steps = STEPS_MAX; step <= steps; step += 1) {
      rmSync(places, { recursive: true, force: true });
      const words = [word, join(places, "a")];
      const ended = await killed(line, { step, words });
      if (ended.steps < step) steps = ended.steps;
      const isThere = existsSync(join(places, "a"));
      const { code, err } = await line.run(word, join(places, "b"));
      assert.equal(code, 0, err);
      assert.deepEqual(readdirSync(places), isThere ? ["a", "b"] : ["b"], `step ${step}`);
      if (isThere) assert.deepEqual(mediaIn(join(places, "a")), mediaIn(old));
    }
  });
}

/** A site with one topic and one picture. */
async function site(title: string, width: number): Promise<CommandLine> {
  const line = openCommandLine();
  lines.push(line);
  const items = line.file("a.jsonl", `${JSON.stringify({ type: "topic", title })}\n`);
  assert.equal((await line.run("import", items)).code, 0);
  const picture = line.file(`${title}.png`, png(width, 2));
  assert.equal((await line.run("media", "add", picture)).code, 0);
  rmSync(join(data(line), "media/receiving"), { recursive: true, force: true });
  return line;
}

function startingWith(folder: string): CommandLine {
  const line = openCommandLine();
  cpSync(folder, data(line), { recursive: true });
  return line;
}

interface Outcomes {
  steps: number;
  before: number;
  after: number;
}

/** Restores again and again, and has another step fail each time. */
async function atEachStep(
  hasOld: boolean,
  words: string[],
  fault: { code: string; isLast: boolean },
): Promise<Outcomes> {
  const outcomes: Outcomes = { steps: STEPS_MAX, before: 0, after: 0 };
  const states = { before: hasOld ? state(old) : null, after: await stateAfter(hasOld, words) };
  for (let step = 1; step <= outcomes.steps; step += 1) {
    using line = hasOld ? startingWith(old) : openCommandLine();
    const ended = await killed(line, { step, words: ["restore", ...words], ...fault });
    if (ended.steps < step) {
      outcomes.steps = ended.steps;
      break;
    }
    if (!fault.isLast) assertWorded(ended);
    await finishDataFolderRestore(readConfig(line.environment));
    const place = `step ${step} of "${words.join(" ")}", ${fault.code}`;
    assert.deepEqual(leftovers(data(line)), [], place);
    const outcome = outcomeOf(data(line), states, place);
    if (ended.code === 0) assert.equal(outcome, "after", place);
    if (outcome === "after" && hasOld) assertReplaced(data(line), words);
    outcomes[outcome] += 1;
  }
  return outcomes;
}

function outcomeOf(
  folder: string,
  states: { before: unknown; after: unknown },
  place: string,
): "before" | "after" {
  const found = state(folder);
  if (JSON.stringify(found) === JSON.stringify(states.after)) return "after";
  assert.deepEqual(found, states.before, place);
  return "before";
}

function assertWorded({ code, err }: CommandResult): void {
  if (code !== 0)
    assert.match(
      err,
      /^error: .*: (the disk is full|the system does not allow it|the disk has failed)/,
    );
}

/** What was there is whole in the folder for what was replaced. */
function assertReplaced(folder: string, words: readonly string[]): void {
  const asides = readdirSync(folder).filter((name) => name.startsWith("replaced-"));
  assert.equal(asides.length, 1);
  const aside = join(folder, asides[0] ?? "");
  assert.deepEqual(topics(aside), topics(old));
  if (words[0] === backup) assert.deepEqual(mediaIn(aside), mediaIn(old));
}

async function stateAfter(hasOld: boolean, words: readonly string[]) {
  using line = hasOld ? startingWith(old) : openCommandLine();
  assert.equal((await line.run("restore", ...words)).code, 0);
  return state(data(line));
}

async function killedAt(step: number, line: CommandLine, words: readonly string[]) {
  return await killed(line, { step, words: ["restore", ...words] });
}

async function killed(
  line: CommandLine,
  {
    step,
    words,
    code = "EIO",
    isLast = true,
  }: { step: number; words: readonly string[]; code?: string; isLast?: boolean },
): Promise<CommandResult & { steps: number }> {
  using disk = await failDisk({ step, code, isLast });
  const result = await line.run(...words);
  return { ...result, steps: disk.steps };
}

function data(line: CommandLine): string {
  return join(line.folder, "data");
}

/** What the site holds; null: there is none. */
function state(folder: string) {
  if (!existsSync(join(folder, "commonplace.db"))) return null;
  return { topics: topics(folder), media: mediaIn(folder) };
}

function topics(folder: string): string[] {
  // Opened to write, or else a log would be left beside it.
  using db = new DatabaseSync(join(folder, "commonplace.db"));
  const rows = db.prepare("SELECT title FROM items WHERE type = 'topic'").all();
  return rows.map(({ title }) => String(title));
}

function mediaIn(folder: string): string[] {
  const media = join(folder, "media");
  return existsSync(media) ? readdirSync(media).filter((name) => name !== "receiving") : [];
}

/** What a data folder must not hold after a restore. */
function leftovers(folder: string): string[] {
  const ours =
    /^(commonplace\.db|site\.json|last-backup\.json|media|media-trash|jobs|server\.lock|replaced-[^.]*)$/;
  return existsSync(folder) ? readdirSync(folder).filter((name) => !ours.test(name)) : [];
}

function deepIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
