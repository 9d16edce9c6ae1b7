import { setTimeout as wait } from "node:timers/promises";
import { percentile } from "./scale/asking.ts";
import { judgeCopies } from "./scale/copies.ts";
import { madeUpCorpus, seededNumbers } from "./scale/corpus.ts";
import { untilCurrent } from "./scale/outage.ts";
import { startScaledSite } from "./scale/site.ts";
import { judgeTruth } from "./scale/truth.ts";
import { Writers } from "./scale/writers.ts";
import { announce } from "./verdict.ts";

/**
 * Kills PostgreSQL or an instance at random times while clients write to both instances, and compares the
 * record and the copies with what was acknowledged: `npm run prove:kill -- [MOMENTS] [SEED]`.
 */
const MOMENTS = Number(process.argv[2] ?? 200);
const SEED = Number(process.argv[3] ?? Date.now() % 100_000);
if (!Number.isInteger(MOMENTS) || !Number.isInteger(SEED)) {
  throw new Error("Usage: npm run prove:kill -- [MOMENTS] [SEED], both whole numbers");
}
const WRITING_MS_MAX = 600;
const CORPUS = { works: 10, topics: 200, quotations: 600 };

const next = seededNumbers(SEED);
tell(`${MOMENTS} moments, seed ${SEED}`);
await using site = await startScaledSite(madeUpCorpus(CORPUS), tell);
const { postgres, instances } = site;
const victims = [
  { name: "first instance", kill: () => instances[0].kill(), start: () => instances[0].start() },
  { name: "second instance", kill: () => instances[1].kill(), start: () => instances[1].start() },
  { name: "PostgreSQL", kill: () => postgres.kill(), start: () => postgres.start() },
];
const killCounts = new Map<string, number>();
const writingAgainAfter: number[] = [];
const writers = new Writers(site);
for (let moment = 0; moment < MOMENTS; moment += 1) {
  const victim = victims[next() % victims.length];
  if (victim === undefined) break;
  await wait(next() % WRITING_MS_MAX);
  await victim.kill();
  await victim.start();
  writingAgainAfter.push(await untilCurrent(site));
  killCounts.set(victim.name, (killCounts.get(victim.name) ?? 0) + 1);
  if ((moment + 1) % 20 === 0) {
    tell(`${moment + 1} moments, ${writers.chronicle.acknowledged} writes acknowledged`);
  }
}
await writers[Symbol.asyncDispose]();
tell("the record and the copies are compared");
const truth = await judgeTruth(postgres.url, writers);
await Promise.all(instances.map((instance) => instance.stop()));
const copies = await judgeCopies(site);
process.exitCode = announce([
  {
    what: `killed at ${MOMENTS} moments, seed ${SEED}, and written to again by both`,
    passed: writingAgainAfter.length === MOMENTS,
    detail: `${[...killCounts].map(([name, times]) => `${name} ${times}`).join(", ")}; writing again, p99 ${percentile(writingAgainAfter, 99).toFixed(0)} ms after the start`,
  },
  {
    what: "whoever wrote was told of an outage or that it is done, nothing else",
    passed: writers.unforeseen.length === 0,
    detail: writers.unforeseen.slice(0, 3).join("; ") || "no other answer",
  },
  ...truth,
  ...copies,
]);

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
