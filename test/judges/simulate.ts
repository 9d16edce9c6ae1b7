import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { z } from "zod";
import { replaceEdges } from "./simulate/edges.ts";
import { loadPrograms } from "./simulate/loading.ts";
import { PLANTS, type Plant } from "./simulate/plants.ts";
import { runStory } from "./simulate/run-story.ts";
import { shrink } from "./simulate/shrinking.ts";
import type { SimulationOptions } from "./simulate/simulation.ts";
import { PROCESSES, storyOf } from "./simulate/story.ts";
import { describeStory } from "./simulate/wording.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Simulates the service with everything around it. Each seed is a separate story: `npm run simulate --
 * --seeds N [--seed FIRST] [--plant NAME | --plant all]`. With a plant, it must find that fault within the
 * seeds. Parts of the seeds, and the plants, run in processes of their own, one for each processor.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    plant: { type: "string" },
    part: { type: "boolean", default: false },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);
const plants = PLANTS.filter(({ name }) => values.plant === name || values.plant === "all");
if (
  !Number.isInteger(seeds) ||
  !Number.isInteger(first) ||
  (values.plant !== undefined && plants.length === 0)
) {
  const names = PLANTS.map(({ name }) => name).join(", ");
  throw new Error(
    `Usage: npm run simulate -- --seeds N [--seed FIRST] [--plant NAME], of ${names}`,
  );
}
/** What killed processes of the simulation held stays in memory: 5 MB a seed. */
const SEEDS_PER_PART = 100;
const VIOLATIONS_PRINTED_MAX = 5;
const LINES_PRINTED_MAX = 20;

/** Some of the seeds, or all of them with one plant. */
interface Part {
  first: number;
  seeds: number;
  plant: Plant | null;
}

const resultSchema = z.object({
  what: z.string(),
  passed: z.boolean(),
  detail: z.string(),
  days: z.number(),
});

type PartResult = z.infer<typeof resultSchema>;

if (values.part) {
  replaceEdges();
  const [plant = null] = plants;
  process.send?.(plant === null ? await simulate() : await findPlanted(plant), () =>
    process.exit(),
  );
} else {
  const results = await inLanes(
    plants.length === 0 ? partsOfSeeds() : plants.map((plant) => ({ first, seeds, plant })),
  );
  process.exitCode = announce(plants.length === 0 ? [wholeOf(results)] : results);
}

function partsOfSeeds(): Part[] {
  return Array.from({ length: Math.ceil(seeds / SEEDS_PER_PART) }, (_, number) => {
    const done = number * SEEDS_PER_PART;
    return { first: first + done, seeds: Math.min(SEEDS_PER_PART, seeds - done), plant: null };
  });
}

/** The results in the order of the parts. Ends with the first part that fails. */
async function inLanes(parts: readonly Part[]): Promise<PartResult[]> {
  const results = new Map<Part, PartResult>();
  const waiting = [...parts];
  const lane = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const result = await inProcess(part);
      results.set(part, result);
      console.log(`${part.seeds} seeds from ${part.first}: ${result.detail}`);
      if (!result.passed && part.plant === null) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return parts.flatMap((part) => results.get(part) ?? []);
}

async function inProcess({ first: from, seeds: count, plant }: Part): Promise<PartResult> {
  const words = ["--part", "--seed", String(from), "--seeds", String(count)];
  const child = fork(import.meta.filename, [
    ...words,
    ...(plant === null ? [] : ["--plant", plant.name]),
  ]);
  const [[answer]] = await Promise.all([
    Promise.race([once(child, "message"), once(child, "exit").then((code) => [{ code }])]),
    once(child, "exit"),
  ]);
  const result = resultSchema.safeParse(answer);
  if (result.success) return result.data;
  return { what: `seeds from ${from}`, passed: false, detail: "The process ended early", days: 0 };
}

function wholeOf(results: readonly PartResult[]): Verdict {
  const failed = results.find(({ passed }) => !passed);
  const days = results.reduce((sum, each) => sum + each.days, 0);
  return (
    failed ?? {
      what: "simulation",
      passed: true,
      detail: `${seeds} seeds from ${first}, ${Math.round(days)} simulated days`,
    }
  );
}

async function simulate(): Promise<PartResult> {
  const options = { programs: await loadPrograms(PROCESSES, null), plant: null };
  let hours = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const result = await runStory(storyOf(seed), options);
    hours += result.milliseconds / 3_600_000;
    if (result.violations.length > 0) {
      await printShortest(seed, options);
      const detail = `seed ${seed}: ${result.violations[0]}`;
      return { what: "simulation", passed: false, detail, days: hours / 24 };
    }
  }
  const days = hours / 24;
  return { what: "simulation", passed: true, detail: `${Math.round(days)} simulated days`, days };
}

async function findPlanted(plant: Plant): Promise<PartResult> {
  const what = `planted: ${plant.name}`;
  const options = { programs: await loadPrograms(PROCESSES, plant), plant };
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violations } = await runStory(storyOf(seed), options);
    if (violations.length === 0) continue;
    if (seeds === 1) await printShortest(seed, options);
    const detail = `found by seed ${seed}: ${violations[0]?.slice(0, 200)}`;
    return { what, passed: true, detail, days: 0 };
  }
  const detail = `${plant.what}; not found by ${seeds} seeds from ${first}`;
  return { what, passed: false, detail, days: 0 };
}

/** Prints the shortest story that fails, and how to repeat it. */
async function printShortest(seed: number, options: SimulationOptions): Promise<void> {
  const story = storyOf(seed);
  const { story: shortest, result } = await shrink(story, await runStory(story, options), options);
  const plant = options.plant === null ? "" : ` --plant ${options.plant.name}`;
  console.log(`Seed ${seed}, ${story.steps.length} steps, shortened to ${shortest.steps.length}:`);
  for (const line of describeStory(shortest)) console.log(`  ${line}`);
  for (const violation of result.violations.slice(0, VIOLATIONS_PRINTED_MAX))
    console.log(`  Wrong: ${violation}`);
  for (const line of result.lines.slice(0, LINES_PRINTED_MAX))
    console.log(`  log: ${line.slice(0, 300)}`);
  console.log(`Repeat: npm run simulate -- --seed ${seed} --seeds 1${plant}`);
}
