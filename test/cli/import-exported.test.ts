import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readRedirectList } from "../../src/content/import/redirects/redirect-list.ts";
import { formatRedirectTables } from "../../src/transfer/redirect-table.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");
const LONG_AGO = "2020-02-02T02:02:02.020Z";

async function imported(line: CommandLine, ...items: object[]) {
  const lines = items.map((item) => JSON.stringify({ type: "topic", title: "Item", ...item }));
  const { out } = await line.run("import", line.file("a.jsonl", lines.join("\n")), "--json");
  const { problems, ...report } = JSON.parse(out);
  return { ...report, messages: problems.map(({ message }: { message: string }) => message) };
}

async function itemAt(line: CommandLine, path: string) {
  return (await get(line, `/content?path=${path}`)).items[0];
}

async function get(line: CommandLine, path: string) {
  const { code, out, err } = await line.run("api", "GET", path);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

describe("the redirects of an export", () => {
  const listed = (number: number) => ({ from: `/old/${number}`, to: "https://other.example/" });

  it("are in as many lists as an import needs", () => {
    const redirects = Array.from({ length: 20_001 }, (_, number) => listed(number));
    const tables = formatRedirectTables(redirects);
    assert.deepEqual(
      tables.map((table) => readRedirectList("redirects.csv", table).rules.length),
      [10_000, 10_000, 1],
    );
  });

  it("are all read", async () => {
    using line = await openSiteLine();
    line.file("site/site.yaml", readFileSync(join(FIXTURE, "site.yaml")));
    line.file("site/content/items.jsonl", "");
    line.file("site/redirects.csv", "from,to\n/old/1,https://other.example/1\n");
    line.file("site/redirects-2.csv", "from,to\n/old/2,https://other.example/2\n");
    const { code, out, err } = await line.run("import", join(line.folder, "site"), "--json");
    assert.equal(code, 0, out + err);
    assert.equal(JSON.parse(out).redirects.created, 2);
  });
});

describe("a line of an export", () => {
  it("dates a new item, also if its links are added later, and never one that was changed here", async () => {
    using line = await openSiteLine();
    const first = { path: "/topics/first", status: "published", updatedAt: LONG_AGO };
    await imported(
      line,
      { ...first, relations: { see_also: ["/topics/second"] } },
      { path: "/topics/second", updatedAt: "2999-01-01T00:00:00Z" },
      { path: "/topics/third", updatedAt: "2020-02-02" },
    );
    const { updatedAt, id } = await itemAt(line, "/topics/first");
    assert.equal(updatedAt, LONG_AGO);
    assert.equal((await get(line, `/content/${id}`)).relations.see_also.length, 1);
    assert((await itemAt(line, "/topics/second")).updatedAt < "2999");
    assert.equal((await itemAt(line, "/topics/third")).updatedAt, "2020-02-02T00:00:00.000Z");
    await imported(line, { ...first, title: "Other words" });
    assert.notEqual((await itemAt(line, "/topics/first")).updatedAt, LONG_AGO);
  });

  it("stays a draft with --publish, since what was private elsewhere is one too", async () => {
    using line = await openSiteLine();
    const draft = { type: "topic", title: "Held back", path: "/topics/held", status: "draft" };
    await line.run("import", line.file("held.jsonl", JSON.stringify(draft)));
    for (const name of ["exported.zip", "exported.jsonl"]) {
      const file = join(line.folder, name);
      assert.equal((await line.run("export", file)).code, 0);
      using other = await openSiteLine();
      const advised = await other.run("import", file, "--dry-run");
      assert.match(advised.out, /^Drafts among the new ones: 1; what says .* stays so$/m);
      const { out } = await other.run("import", file, "--publish");
      assert.match(out, /^Drafts among the new ones: 1; what says .* stays so$/m);
      assert.equal((await itemAt(other, "/topics/held")).status, "draft");
    }
  });

  it("is taken in when its date or a former address is wrong", async () => {
    using line = await openSiteLine();
    const report = await imported(
      line,
      { path: "/topics/undated", updatedAt: "soon" },
      { path: "/topics/addressed", redirectFrom: ["/old/good", 7, `/${"x".repeat(2000)}`] },
      { path: "/topics/many", redirectFrom: Array.from({ length: 101 }, (_, at) => `/old/${at}`) },
    );
    assert.equal(report.created, 3);
    assert.equal(report.messages.length, 4, report.messages.join("\n"));
    assert.match(report.messages[0], /is not a day or time; the item gets the time of the import/);
    const first = await get(line, "/redirects?limit=100");
    const rest = await get(line, `/redirects?limit=100&cursor=${first.nextCursor}`);
    assert.deepEqual([first.items.length, rest.items.length], [100, 1]);
  });

  it("deletes no page that is in use, and without a path nothing", async () => {
    using line = await openSiteLine();
    await imported(line, { path: "/topics/edited" }, { path: "/topics/untouched" });
    const { id } = await itemAt(line, "/topics/edited");
    const patch = JSON.stringify({ summary: "By hand" });
    await line.run("api", "PATCH", `/content/${id}`, "--header", "If-Match: *", "--data", patch);
    const deleted = { status: "deleted", title: "Gone", updatedAt: LONG_AGO };
    const report = await imported(
      line,
      { ...deleted, path: "/topics/edited" },
      { ...deleted, path: "/topics/untouched" },
      { ...deleted, path: "/topics/new", redirectFrom: ["/old/new"] },
      deleted,
    );
    assert.deepEqual([report.created, report.updated, report.failed], [1, 1, 2]);
    assert.match(report.messages.join("\n"), /it belongs to "Item"/);
    assert.match(report.messages.join("\n"), /a deleted item needs the address that it had/);
    assert.equal((await itemAt(line, "/topics/edited")).summary, "By hand");
  });

  it("with an end that has passed is archived if it was public", async () => {
    using line = await openSiteLine();
    const ended = { expireAt: LONG_AGO, publishedAt: "2019-01-01T00:00:00Z" };
    const report = await imported(
      line,
      { ...ended, path: "/topics/shown", status: "published" },
      { ...ended, path: "/topics/draft", status: "draft" },
    );
    assert.deepEqual([report.created, report.messages], [2, []]);
    assert.equal((await itemAt(line, "/topics/shown")).status, "archived");
    assert.equal((await itemAt(line, "/topics/draft")).status, "draft");
  });
});
