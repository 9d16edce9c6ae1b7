import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { fixtureConfig } from "../support/fixture-config.ts";
import { importSite } from "../support/fixture-site.ts";
import { type SequenceCounts, tryOneSequence } from "../support/sync-model.ts";

/** `SYNC_SEEDS=1000` tries as many, from `SYNC_FIRST` on. */
const SEEDS = Number(process.env["SYNC_SEEDS"] ?? 8);
const FIRST = Number(process.env["SYNC_FIRST"] ?? 1);

it("loses nothing silently, whatever people do on both sides and wherever it is killed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-sequences-"));
  try {
    await using record = await openRecordForCommand(fixtureConfig(folder, null), importSite);
    const sums: SequenceCounts = {
      ...{ syncs: 0, kills: 0, conflicts: 0, edits: 0, moves: 0, deletions: 0 },
    };
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const counts = await tryOneSequence(record, seed);
      sums.syncs += counts.syncs;
      sums.kills += counts.kills;
      sums.conflicts += counts.conflicts;
      sums.edits += counts.edits;
      sums.moves += counts.moves;
      sums.deletions += counts.deletions;
    }
    t.diagnostic(JSON.stringify({ sequences: SEEDS, ...sums }));
    assert(sums.kills > 0 && sums.conflicts > 0 && sums.moves > 0, JSON.stringify(sums));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
