import { runStory, type StoryResult } from "./run-story.ts";
import type { SimulationOptions } from "./simulation.ts";
import type { Step, Story } from "./story.ts";

const RUNS_MAX = 150;

/** Finds a shorter story that fails in the same way. */
export async function shrink(
  story: Story,
  result: StoryResult,
  options: SimulationOptions,
): Promise<{ story: Story; result: StoryResult }> {
  const kind = kindOf(result);
  const shortest = { story, result };
  let runs = 0;
  const fails = async (steps: readonly Step[]): Promise<boolean> => {
    if (runs >= RUNS_MAX) return false;
    runs += 1;
    const shorter = { ...story, steps };
    const found = await runStory(shorter, options);
    if (kindOf(found) !== kind) return false;
    shortest.story = shorter;
    shortest.result = found;
    return true;
  };
  for (let size = Math.ceil(story.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    await leaveOut(size, shortest, fails);
  }
  await leaveOut(1, shortest, fails);
  for (const [at, step] of shortest.story.steps.entries()) {
    if (step.wait > 0) await fails(shortest.story.steps.with(at, { ...step, wait: 0 }));
  }
  return shortest;
}

/** Leaves out as many pieces of this many steps as possible. */
async function leaveOut(
  size: number,
  shortest: { readonly story: Story },
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<void> {
  for (let at = 0; at < shortest.story.steps.length; ) {
    const { steps } = shortest.story;
    if (!(await fails([...steps.slice(0, at), ...steps.slice(at + size)]))) at += size;
  }
}

/** The first violation without its numbers and names. */
function kindOf({ violations: [first] }: StoryResult): string | null {
  if (first === undefined) return null;
  return first
    .replace(/\d+/g, "0")
    .replace(/"[^"]*"|\/[\w/-]+/g, "…")
    .slice(0, 40);
}
