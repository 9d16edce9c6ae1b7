import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import Papa from "papaparse";
import { openCommandLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";

type Row = Record<"file" | "title" | "path" | "type" | "outcome" | "message", string>;

function rowsIn(file: string): Row[] {
  const { data, errors } = Papa.parse<Row>(readFileSync(file, "utf8"), {
    header: true,
    skipEmptyLines: true,
  });
  assert.deepEqual(errors, []);
  return data;
}

function outcomes(rows: readonly Row[], type?: string): Record<string, number> {
  const chosen = rows.filter((row) => type === undefined || row.type === type);
  const groups = Map.groupBy(chosen, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}

describe("the whole report of an import", () => {
  it("is refused before anything is imported where no file can be written", async () => {
    using line = openCommandLine();
    const text = line.file("a.md", "# A");
    for (const [report, fault] of [
      [join(line.folder, "none/report.csv"), "it does not exist"],
      [line.folder, "it is a folder"],
    ] as const) {
      const { code, out, err } = await line.run("import", text, "--report", report);
      assert.deepEqual([code, out, err], [1, "", `error: Cannot use ${report}: ${fault}`]);
    }
    assert.match((await line.run("import", text)).out, /^1 created, 0 updated, 0 unchanged/);
  });

  it("has a row for every item, redirect, file and problem, and its sums are those that are printed", async () => {
    using line = openCommandLine();
    const text = "---\ntitle: A\nstatus: published\n---\n![](plan.png)\n";
    line.file("site/a.md", text);
    line.file("site/plan.png", png(2, 2));
    line.file("site/b.jsonl", '{"type":"topic","sourceKey":"b"}\n');
    line.file("site/_redirects", "/older/a /a 301\n/a/ /a 301\n");
    line.file("site/old.php", "<?php ?>");
    line.file("site/unused.png", png(3, 3));
    const site = join(line.folder, "site");
    const report = join(line.folder, "report.csv");
    const dryRun = await line.run("import", site, "--dry-run", "--report", report);
    assert.equal(dryRun.code, 1);
    const planned = rowsIn(report);
    const { out } = await line.run("import", site, "--report", report);
    const rows = rowsIn(report);
    assert.deepEqual(planned, rows);
    assert.match(out, /^1 created, 0 updated, 0 unchanged, 1 failed/m);
    assert.match(out, /^Redirects: 1 created, 0 unchanged, 1 not needed, 0 failed/m);
    assert.deepEqual(outcomes(rows, "redirect"), { created: 1, "not needed": 1 });
    assert.deepEqual(outcomes(rows, "file"), { "taken in": 1, "left out": 1 });
    const {
      created,
      failed,
      error,
      "left out": leftOut,
    } = outcomes(rows.filter(({ type }) => type !== "redirect" && type !== "file"));
    assert.deepEqual(
      { created, failed, error, leftOut },
      { created: 1, failed: 1, error: 1, leftOut: 1 },
    );
    const old = rows.find(({ path }) => path === "/older/a");
    assert.equal(old?.message, "/a");

    await line.run("import", site, "--report", report);
    assert.equal(outcomes(rowsIn(report), "redirect")["unchanged"], 1);
  });
});
