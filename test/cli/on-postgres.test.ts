import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { type Fixture, openFixture } from "../support/open-fixture.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { until } from "../support/until.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");

onPostgres("commands beside a server on the same database, on another machine", () => {
  let database: TestDatabase;
  let line: CommandLine;
  let server: Fixture;

  before(async () => {
    database = await createDatabase();
    line = openCommandLine({ DATABASE_URL: database.url });
    assert.equal((await line.run("import", FIXTURE)).code, 0);
    server = await openFixture({ config: { databaseUrl: database.url }, now: () => new Date() });
  });

  after(async () => {
    await server.close();
    line[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  it("import what the server then shows", async () => {
    assert.equal((await server.get("/topics/time")).status, 200);
    const file = line.file(
      "new.md",
      "---\ntype: topic\ntitle: From afar\npath: /topics/from-afar\n---\n",
    );
    const { code, err } = await line.run("import", "--publish", file);
    assert.equal(code, 0, err);
    await shown("/topics/from-afar");
    assert(!existsSync(join(line.folder, "data/reading.db")), "a command needs no reading copy");
  });

  it("issue, list and revoke keys", async () => {
    const words = ["keys", "issue", "--name", "Agent", "--scope", "content:read", "--json"];
    const { key, id } = JSON.parse((await line.run(...words)).out);
    const status = async () =>
      (await server.get("/api/v1/", { Authorization: `Bearer ${key}` })).status;
    assert.equal(await status(), 200);
    assert.match((await line.run("keys", "list")).out, /Agent/);
    assert.equal((await line.run("keys", "revoke", id)).code, 0);
    await until(async () => (await status()) === 401);
  });

  it("publish pictures that the server has not", async () => {
    const { out, err } = await line.run(
      "media",
      "add",
      "--public",
      line.file("dot.png", png(2, 2)),
    );
    const path = /\((\/media\/[^)]+)\)/.exec(out)?.[1] ?? "";
    assert.notEqual(path, "", out + err);
    await until(async () => (await server.get(path)).status === 200);
    assert.match((await line.run("media", "list")).out, /dot\.png/);
  });

  it("export everything with its files", async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "commonplace-")), "site");
    const { code, err } = await line.run("export", folder);
    assert.equal(code, 0, err);
    assert.match(readFileSync(join(folder, "media.jsonl"), "utf8"), /dot\.png/);
    rmSync(join(folder, ".."), { recursive: true });
  });

  it("keep a folder equal", async () => {
    const folder = join(line.folder, "synced");
    const first = await line.run("sync", folder);
    assert.equal(first.code, 0, first.out + first.err);
    const file = join(folder, "content/topics/equal.md");
    writeFileSync(file, "---\ntype: topic\ntitle: Equal\nstatus: published\n---\n\nWords.\n");
    assert.equal((await line.run("sync", folder)).code, 0);
    await shown("/topics/equal");
    writeFileSync(file, readFileSync(file, "utf8").replace("Words.", "Other words."));
    assert.match((await line.run("sync", folder)).out, /^Changed on the site: .*: body$/m);
    assert.match((await line.run("sync", folder)).out, / the same, 0 steps, 0 conflicts, /);
  });

  it("ask the interface, which shows a preview of what was just written", async () => {
    const data = JSON.stringify({ type: "topic", title: "By hand", status: "published" });
    const made = await line.run("api", "POST", "/content", "--data", data);
    assert.equal(made.code, 0, made.err);
    await shown("/topics/by-hand");
    const { id } = JSON.parse(made.out);
    const seen = await line.run("api", "GET", `/content/${id}/preview`);
    assert.match(seen.out, /By hand/, seen.err);
    assert.match((await line.run("audit", "list")).out, /content\.create/);
    assert.match((await line.run("requests", "list", "--json")).out, /\[\]/);
    assert.match((await line.run("admins", "list", "--json")).out, /\[\]/);
  });

  it("leave backups to the tools of the database, and say so", async () => {
    for (const [words, tool] of [
      [["backup", join(line.folder, "copy")], "pg_dump"],
      [["restore", line.folder], "pg_restore"],
    ] as const) {
      const { code, err } = await line.run(...words);
      assert.equal(code, 1);
      assert.match(
        err,
        new RegExp(
          `^error: The database in DATABASE_URL holds everything, .* use ${tool}, as docs/several-machines.md describes$`,
        ),
      );
      assert(!err.includes("commonplace:commonplace"));
    }
  });

  it("say which database cannot be used, without its password", async () => {
    const url = new URL(database.url);
    url.pathname = "/there_is_none";
    using other = openCommandLine({ DATABASE_URL: url.href });
    const { code, err } = await other.run("keys", "list");
    assert.equal(code, 1);
    assert(err.startsWith(`error: Cannot open the database ${url.host}/there_is_none: `), err);
    assert(!err.includes(url.password));
  });

  async function shown(path: string): Promise<void> {
    await until(async () => (await server.get(path)).status === 200);
  }
});
