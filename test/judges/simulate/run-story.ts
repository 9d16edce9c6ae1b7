import { checkCopies, waitUntilCurrent } from "./copy-checks.ts";
import { checkKeys } from "./key-checks.ts";
import { checkQueues, drainQueues, watchAttempts } from "./queue-checks.ts";
import { checkRecord } from "./record-checks.ts";
import { Simulation, type SimulationOptions } from "./simulation.ts";
import type { Story } from "./story.ts";
import { TimeChecks } from "./time-checks.ts";

export interface StoryResult {
  violations: readonly string[];
  /** Equal in two runs of the same story. */
  fingerprint: number;
  /** Log lines of the processes, at level `warn` or above. */
  lines: readonly string[];
  /** Simulated time. */
  milliseconds: number;
}

/** Runs a story and checks the invariants after each step. Ends with the first violation. */
export async function runStory(story: Story, options: SimulationOptions): Promise<StoryResult> {
  const simulation = new Simulation(story, options);
  const { world, history } = simulation;
  const notHandled = (error: unknown) => world.violation(`Nothing handled ${String(error)}`);
  process.on("unhandledRejection", notHandled);
  try {
    await runSteps(simulation);
  } finally {
    await simulation.end();
    process.off("unhandledRejection", notHandled);
  }
  const { violations, fingerprint, now: milliseconds } = world;
  return { violations, fingerprint, lines: history.lines, milliseconds };
}

async function runSteps(simulation: Simulation): Promise<void> {
  const { world, story } = simulation;
  const times = new TimeChecks(simulation);
  const isWrong = () => world.violations.length > 0;
  watchAttempts(simulation);
  await simulation.begin();
  for (const step of story.steps) {
    if (isWrong()) return;
    if (step.kind === "check") await compare(simulation);
    else await simulation.happen(step);
    times.check();
  }
  if (isWrong()) return;
  await compare(simulation);
  times.check();
  if (isWrong()) return;
  await checkKeys(simulation);
  if (isWrong()) return;
  await drainQueues(simulation);
  times.check();
  checkQueues(simulation);
  if (isWrong()) return;
  await compare(simulation);
  times.check();
}

/** Called once nothing disturbs the service any more. */
async function compare(simulation: Simulation): Promise<void> {
  simulation.heal();
  await waitUntilCurrent(simulation);
  checkRecord(simulation);
  if (simulation.world.violations.length === 0) await checkCopies(simulation);
}
