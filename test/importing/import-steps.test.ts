import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { parseYamlMapping } from "../../src/content/import/front-matter.ts";
import { parseBibtexEntries } from "../../src/content/import/references/bibtex.ts";
import { detectFolderConventions } from "../../src/importing/folder-conventions.ts";
import { findImportFiles } from "../../src/importing/import-files.ts";
import { importRedirects } from "../../src/importing/redirects/import-redirects.ts";
import { openCommandLine } from "../support/command-line.ts";

function counter() {
  let steps = 0;
  return {
    yieldBetween: async () => {
      steps += 1;
    },
    steps: () => steps,
  };
}

function folderWith(files: Readonly<Record<string, string>>) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}

describe("an import beside a server at work", () => {
  it("knows the kind of each file by its beginning, one after the other", async () => {
    const names = Array.from({ length: 300 }, (_, n) => [`${n}.csv`, "from,to\n/a,/b\n"] as const);
    using folder = folderWith({ ...Object.fromEntries(names), "a.csv": "title,body\nA,B\n" });
    const { yieldBetween, steps } = counter();
    const found = await findImportFiles(folder.path, yieldBetween);
    assert.equal(found.redirectLists.length, 300);
    assert.ok(steps() >= 301, `${steps()} steps`);
  });

  it("reads lists of redirects some lines at a time", async () => {
    using line = openCommandLine();
    const lines = Array.from({ length: 4000 }, (_, n) => `/from-${n} /about\n`).join("");
    using folder = folderWith({ _redirects: lines, ".htaccess": "# nothing\n".repeat(40_000) });
    assert.equal((await line.run("import", line.file("a.md", "# A"))).code, 0);
    await using store = await openRecordForCommand(readConfig(line.environment));
    const { yieldBetween, steps } = counter();
    const lists = ["_redirects", ".htaccess"].map((name) => join(folder.path, name));
    const counts = await importRedirects(
      store.content,
      { kind: "operator" },
      { redirects: [], impliedRedirects: [], lists },
      {
        now: new Date(),
        origin: "https://example.org",
        isDocument: () => false,
        onProblem() {},
        yieldBetween,
      },
    );
    assert.equal(counts.created + counts.failed + counts.skipped, 4000);
    assert.ok(steps() > 220, `${steps()} steps`);
  });

  it("takes 200 lists of redirects, and says what to do with more", async () => {
    using line = openCommandLine();
    for (let n = 0; n < 203; n += 1) line.file(`old/${1000 + n}/_redirects`, `/from-${n} /\n`);
    const place = line
      .file("old/a.md", "---\nlayout: page\ntitle: A\n---\nText")
      .replace(/\/a\.md$/, "");
    const { code, out, err } = await line.run("import", place);
    assert.equal(code, 1);
    assert.match(
      err,
      /1200\/_redirects:1: is not read, nor are further lists of redirects \(3 in all\)/,
    );
    assert.match(out, /^Redirects: 200 created, 0 unchanged, 0 not needed, 3 failed$/m);
  });

  it("reads the data files of another program one after the other", async () => {
    const names = Array.from({ length: 50 }, (_, n) => [
      `_authors/a${n}.md`,
      "---\nname: A\n---\n",
    ]);
    using folder = folderWith({ ...Object.fromEntries(names), "_config.yml": "title: Old\n" });
    const { yieldBetween, steps } = counter();
    const source = await findImportFiles(folder.path);
    const conventions = await detectFolderConventions(source, {
      language: "en",
      timeZone: "UTC",
      yieldBetween,
    });
    assert.equal(conventions?.terms.authors.size, 50);
    assert.ok(steps() >= 50, `${steps()} steps`);
  });

  it("reads entries of a bibliography that wait for later ones step by step", () => {
    const read = [...parseBibtexEntries("@book{a, title={A}}\n".repeat(300))];
    assert.equal(read.filter((entry) => entry === null).length, 300);
    assert.equal(read.filter((entry) => entry !== null && "title" in entry).length, 300);
    const [, long] = parseBibtexEntries(`@book{a, title={${"a".repeat(500_001)}}}`);
    const [first] = parseBibtexEntries(`@book{a, title={${"a".repeat(500_001)}}}`);
    assert.equal(long, null);
    assert.match(
      first !== null && first !== undefined && "fault" in first ? first.fault.en : "",
      /longer than 500000/,
    );
  });
});

describe("YAML that would take seconds", () => {
  const many = 20_000;
  const costly: [what: string, yaml: string][] = [
    ["many keys", Array.from({ length: many }, (_, n) => `k${n}: v\n`).join("")],
    ["a long list", `l:\n${"- a\n".repeat(many)}`],
    ["a long list in brackets", `l: [${"a,".repeat(many)}a]\n`],
    ["many mistakes", "- : ? ]\n".repeat(many)],
    ["empty lines", `k: v\n${"\n".repeat(100_000)}`],
    ["a text of two million characters", `k: ${"a ".repeat(1_000_000)}\n`],
  ];
  for (const [what, yaml] of costly) {
    it(`is refused with a message: ${what}`, () => {
      const [fault] = parseYamlMapping(yaml, 0).faults;
      assert.match(fault?.message.en ?? "", /^is not read: it has more than about 10,000 values/);
    });
  }

  it("is none that only has long texts", () => {
    const text = "  We met (on Thursday): [minutes](/m), then, {as ever}, tea.\n".repeat(10_000);
    assert.deepEqual(parseYamlMapping(`report: |\n${text}`, 0).faults, []);
  });
});
