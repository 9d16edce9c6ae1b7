import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { replaceEdges } from "./judges/simulate/edges.ts";
import { type LoadedProgram, loadPrograms } from "./judges/simulate/loading.ts";
import { PLANTS } from "./judges/simulate/plants.ts";
import { runStory } from "./judges/simulate/run-story.ts";
import { shrink } from "./judges/simulate/shrinking.ts";
import { type Story, storyOf } from "./judges/simulate/story.ts";
import { describeStory } from "./judges/simulate/wording.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** `npm run simulate` runs hundreds; this keeps the simulation itself in order. */
const INSTANCES: Story = {
  seed: 1,
  mode: "instances",
  steps: [
    { wait: 10, kind: "ask", by: 2, operation: { do: "message" } },
    { wait: 10, kind: "reset", by: 1 },
    { wait: 500, kind: "kill", by: 2, down: 100 },
  ],
};

const body = "river ".repeat(300);
const ONE_MACHINE: Story = {
  seed: 2,
  mode: "one machine",
  steps: [
    { wait: 0, kind: "power", by: 0, down: 100 },
    {
      wait: 900,
      kind: "ask",
      by: 1,
      operation: { do: "save", item: 1, title: "River", body, isPublic: true, toItems: [] },
    },
  ],
};

describe("the simulated service", () => {
  let programs: readonly LoadedProgram[] = [];
  before(async () => {
    programs = await loadPrograms(1, null);
    replaceEdges();
  });

  it("keeps every promise with several instances, and does the same each time", async () => {
    const [first, second] = [await resultOf(INSTANCES), await resultOf(INSTANCES)];
    assert.deepEqual(first.violations, []);
    assert.equal(first.fingerprint, second.fingerprint);
  });

  it("keeps every promise on one machine", async () => {
    assert.deepEqual((await resultOf(ONE_MACHINE)).violations, []);
  });

  it("opens no file in the folder it runs in", async (t) => {
    const start = process.cwd();
    const folder = mkdtempSync(join(temporaryFolder(), "commonplace-simulated-"));
    t.after(() => {
      process.chdir(start);
      rmSync(folder, { recursive: true });
    });
    process.chdir(folder);
    await resultOf(ONE_MACHINE);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("finds a planted fault, and describes the shortest story that shows it", async () => {
    const plant = PLANTS.find(({ name }) => name === "overflowing-frequency") ?? null;
    const options = { programs: await loadPrograms(1, plant), plant };
    const planted = await runStory(ONE_MACHINE, options);
    assert.match(planted.violations[0] ?? "", /^The index of process \d is wrong/);
    const { story } = await shrink(ONE_MACHINE, planted, options);
    assert.deepEqual(describeStory(story), [
      "Three processes on one machine, the record in its file.",
      "At once, a client asks process 2 to save item 1 in public, 1800 characters long.",
    ]);
  });

  it("finds in a random story that a wrong clock publishes", async () => {
    const plant = PLANTS.find(({ name }) => name === "publish-by-wall-clock") ?? null;
    const options = { programs: await loadPrograms(1, plant), plant };
    const { violations } = await runStory(storyOf(4), options);
    assert.match(violations[0] ?? "", /is published \d+ days early$/);
  });

  it("knows where each fault can be planted", () => {
    for (const { file, from } of PLANTS.flatMap(({ changes }) => changes)) {
      assert(readFileSync(file, "utf8").includes(from), `${file} has no "${from}"`);
    }
  });

  async function resultOf(story: Story) {
    return await runStory(story, { programs, plant: null });
  }
});
