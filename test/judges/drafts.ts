import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testOn } from "../support/engine.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { interleave } from "./drafts/interleaving.ts";
import { killWhileSaving, type Victim } from "./drafts/killing.ts";
import { type KillableSite, makeSite } from "./drafts/site.ts";
import { watchSurfaces } from "./drafts/watching.ts";
import { seededNumbers } from "./scale/corpus.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Proves that drafts stay private, and that nothing is lost or overwritten: `npm run prove:drafts -- [SAVES]
 * [STORIES] [KILLS] [SEED]`.
 */
const [saves = 10_000, stories = 200, kills = 100, seed = Date.now() % 100_000] = process.argv
  .slice(2)
  .map(Number);
if (![saves, stories, kills, seed].every(Number.isSafeInteger)) {
  throw new Error("Usage: npm run prove:drafts -- [SAVES] [STORIES] [KILLS] [SEED], whole numbers");
}

/** Title, summary, body, path, former path, field, link, note and review. */
const PARTS_HIDDEN = 9;

const verdicts: Verdict[] = [];
const postgres = await startPrivatePostgres(["fsync=off"]);
// The tests' stores read this when they are imported.
process.env["TEST_DATABASE_URL"] = postgres.url;
const { openApiClient } = await import("../support/api-client.ts");
await interleaveOn("SQLite");
await interleaveOn("PostgreSQL");

const dataDir = mkdtempSync(join(tmpdir(), "commonplace-drafts-"));
const site = await makeSite(dataDir);
try {
  const watched = await watchSurfaces(site, saves);
  verdicts.push({
    what: `${watched.saves} autosaves while all surfaces are read`,
    passed:
      watched.leaks.length === 0 && watched.reads > 0 && watched.parts.length === PARTS_HIDDEN,
    detail:
      watched.leaks.slice(0, 3).join("; ") ||
      `0 occurrences in ${watched.reads} answers of ${watched.parts.join(", ")}`,
  });
  await judgeKills("SQLite", site, [site]);
} finally {
  await site.kill();
  rmSync(dataDir, { recursive: true, force: true });
}
await killOnPostgres();
const code = announce(verdicts);
await postgres[Symbol.asyncDispose]();
// Otherwise the hooks of the test runner would look for the database again.
process.exit(code);

/** Kills the server and the database below it, which is as durable as one in production. */
async function killOnPostgres(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-drafts-"));
  await using durable = await startPrivatePostgres();
  const site = await makeSite(folder, durable.url);
  try {
    await judgeKills("PostgreSQL, of it or the server", site, [site, durable]);
  } finally {
    await site.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judgeKills(
  engine: string,
  site: KillableSite,
  victims: readonly Victim[],
): Promise<void> {
  const killed = await killWhileSaving(site, { kills, next: seededNumbers(seed), victims });
  verdicts.push({
    what: `${killed.kills} kills while saving on ${engine}`,
    passed: killed.lost.length === 0 && killed.acknowledged > 0,
    detail: killed.lost.slice(0, 3).join("; ") || `${killed.acknowledged} acknowledged, 0 lost`,
  });
}

async function interleaveOn(engine: "SQLite" | "PostgreSQL"): Promise<void> {
  testOn(engine);
  await using api = await openApiClient();
  const sums = { steps: 0, merges: 0, conflicts: 0 };
  const faults: string[] = [];
  for (let story = 0; story < stories; story += 1) {
    const result = await interleave(api, story, seededNumbers(seed + story));
    sums.steps += result.steps;
    sums.merges += result.merges;
    sums.conflicts += result.conflicts;
    faults.push(...result.faults);
  }
  verdicts.push({
    what: `${stories} stories of two editors on ${engine}, seed ${seed}`,
    passed: faults.length === 0 && sums.merges > 0,
    detail:
      faults.slice(0, 3).join("; ") ||
      `${sums.steps} steps, ${sums.merges} merges, ${sums.conflicts} conflicts, each as expected`,
  });
}
