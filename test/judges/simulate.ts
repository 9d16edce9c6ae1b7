import { parseArgs } from "node:util";
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
 * seeds.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    plant: { type: "string" },
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
const PRINTED_EVERY = 50;
const VIOLATIONS_PRINTED_MAX = 5;
const LINES_PRINTED_MAX = 20;

replaceEdges();
const verdicts: Verdict[] = [];
if (plants.length === 0) verdicts.push(await simulate());
for (const plant of plants) {
  console.log(`Looking for: ${plant.what}`);
  verdicts.push(await findPlanted(plant));
}
process.exitCode = announce(verdicts);
process.exit();

async function simulate(): Promise<Verdict> {
  const options = { programs: await loadPrograms(PROCESSES, null), plant: null };
  let hours = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const result = await runStory(storyOf(seed), options);
    hours += result.milliseconds / 3_600_000;
    if (result.violations.length > 0) {
      await printShortest(seed, options);
      return { what: "simulation", passed: false, detail: `seed ${seed}: ${result.violations[0]}` };
    }
    const done = seed - first + 1;
    if (done % PRINTED_EVERY === 0) console.log(`${done} seeds, ${Math.round(hours / 24)} days`);
  }
  const days = Math.round(hours / 24);
  return {
    what: "simulation",
    passed: true,
    detail: `${seeds} seeds from ${first}, ${days} simulated days`,
  };
}

async function findPlanted(plant: Plant): Promise<Verdict> {
  const what = `planted: ${plant.name}`;
  const options = { programs: await loadPrograms(PROCESSES, plant), plant };
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violations } = await runStory(storyOf(seed), options);
    if (violations.length === 0) continue;
    if (seeds === 1) await printShortest(seed, options);
    return { what, passed: true, detail: `found by seed ${seed}: ${violations[0]?.slice(0, 200)}` };
  }
  return {
    what,
    passed: false,
    detail: `${plant.what}; not found by ${seeds} seeds from ${first}`,
  };
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
