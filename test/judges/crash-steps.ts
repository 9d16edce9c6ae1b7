import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { FAULTS, type Fault } from "./crash/judging.ts";
import { movedSite, movingScenarios } from "./crash/moving-scenarios.ts";
import { compileFileSteps } from "./crash/program.ts";
import { killAtRandom } from "./crash/random-kills.ts";
import { nameOf } from "./crash/record.ts";
import { scenarioList } from "./crash/scenario-list.ts";
import { Starters } from "./crash/starters.ts";
import { makeTemplates } from "./crash/templates.ts";
import { ScenarioTrial, type Trial } from "./crash/trial.ts";
import { seededNumbers } from "./scale/corpus.ts";
import { announce } from "./verdict.ts";

/**
 * Ends commands at the steps in which they change files, drops what was not durable, and judges the state
 * after the next start: `npm run prove:crash-steps -- [SHARE] [SEED] [NAMES]`. NAMES: the first words of
 * scenarios, separated by commas.
 */
const SHARE = Number(process.argv[2] ?? 1);
const SEED = Number(process.argv[3] ?? Date.now() % 100_000);
const ONLY = (process.argv[4] ?? "").split(",");
if (!(SHARE > 0 && SHARE <= 1) || !Number.isInteger(SEED)) {
  throw new Error("Usage: npm run prove:crash-steps -- [SHARE above 0, at most 1] [SEED] [NAMES]");
}
const RANDOM_KILLS = Math.ceil(300 * SHARE);
/** Small samples leave out scenarios that take minutes. */
const LONG_SHARE_MIN = 0.5;
const STARTERS = 4;
/** The name of the last scenario. */
const RANDOM = "random kills";
/** In memory if there is such a folder: fsync is recorded, not waited for. */
const MEMORY = "/dev/shm";

const work = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "commonplace-crash-"));
try {
  tell(`share ${SHARE}, seed ${SEED}`);
  const began = performance.now();
  const library = compileFileSteps(work);
  process.umask(0o077);
  const templates = await makeTemplates(join(work, "templates"));
  // The program itself must make its files private.
  process.umask(0);
  using starters = new Starters(STARTERS);
  const next = seededNumbers(SEED);
  await using postgres = await startPrivatePostgres(["fsync=off"]);
  await using moved = await movedSite(templates, postgres);
  const scenarios = [...scenarioList(templates), ...movingScenarios(templates, postgres, moved)];
  const faults: Fault[] = [];
  const trials = scenarios
    .filter(({ name, isLong }) => isAsked(name) && (!isLong || SHARE >= LONG_SHARE_MIN))
    .map(
      (scenario) => new ScenarioTrial(scenario, { work, library, starters, share: SHARE, next }),
    );
  for (const trial of trials) await judgeAndReport(async () => await trial.layOut());
  for (const trial of trials) {
    faults.push(...(await judgeAndReport(async () => await trial.endProcesses())).faults);
  }
  if (isAsked(RANDOM)) {
    const random = await killAtRandom(work, templates, { kills: RANDOM_KILLS, next });
    faults.push(...random.faults);
    const { kills, acknowledged } = random;
    tell(`a server that is written to: ${kills} random kills, ${acknowledged} writes acknowledged`);
  }
  tell(secondsSince(began));
  process.exitCode = announce(
    FAULTS.map((kind) => {
      const found = faults.filter((fault) => fault.kind === kind);
      return {
        what: `0 times: ${kind}`,
        passed: found.length === 0,
        detail: found.length === 0 ? "0" : `${found.length}, as ${found[0]?.detail}`,
      };
    }),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

function isAsked(name: string): boolean {
  return ONLY.some((words) => name.startsWith(words));
}

async function judgeAndReport(judge: () => Promise<Trial>): Promise<Trial> {
  const from = performance.now();
  const trial = await judge();
  tell(reportOf(trial, from));
  return trial;
}

function reportOf({ scenario, steps, places, tried, starts, faults }: Trial, from: number): string {
  const counts = Object.entries(tried).map(([crash, count]) => `${count} ${crash}`);
  const kinds = Map.groupBy(faults, ({ kind, detail }) => `${kind}: ${nameOf(detail)}`);
  const lines = [...kinds].map(([name, found]) => {
    const crashes = [...new Set(found.map(({ crash }) => crash))].join(", ");
    return `    ${name}: ${found.length} (${crashes}), first ${found[0]?.at}`;
  });
  return [
    `${scenario}: ${steps} steps at ${places} places; ${counts.join(", ")}`,
    `    judged by ${starts} starts in ${secondsSince(from)}`,
    ...lines,
  ].join("\n");
}

function secondsSince(moment: number): string {
  return `${((performance.now() - moment) / 1000).toFixed(0)} s`;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
