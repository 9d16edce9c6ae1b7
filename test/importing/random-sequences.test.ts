import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { fixtureConfig } from "../support/fixture-config.ts";
import { importSite } from "../support/fixture-site.ts";
import { type ImportCounts, NO_COUNTS, tryOneSequence } from "../support/import-model.ts";

/** `IMPORT_SEEDS=1000` tries as many, from `IMPORT_FIRST` on. */
const SEEDS = Number(process.env["IMPORT_SEEDS"] ?? 5);
const FIRST = Number(process.env["IMPORT_FIRST"] ?? 1);

it("loses nothing silently when a folder and the site are edited between imports", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-sequences-"));
  try {
    await using record = await openRecordForCommand(fixtureConfig(folder, null), importSite);
    const sums: ImportCounts = { ...NO_COUNTS };
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const counts = await tryOneSequence(record, seed);
      sums.imports += counts.imports;
      sums.conflicts += counts.conflicts;
      sums.kept += counts.kept;
      sums.merged += counts.merged;
      sums.edits += counts.edits;
      sums.moves += counts.moves;
      sums.deletions += counts.deletions;
    }
    t.diagnostic(JSON.stringify({ sequences: SEEDS, ...sums }));
    assert(sums.conflicts > 0 && sums.kept > 0 && sums.merged > 0, JSON.stringify(sums));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
