import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";
import { createProgressMeter } from "../../src/cli/progress-meter.ts";

const METER = join(import.meta.dirname, "../../src/cli/progress-meter.ts");

it("the progress meter tells a line now and then where nobody watches", async (test) => {
  let now = 0;
  test.mock.method(performance, "now", () => now);
  const err: string[] = [];
  const terminal = {
    out: () => assert.fail("the output is for what was asked for"),
    err: (line: string) => err.push(line),
    write: async () => {},
    isInteractive: false,
  };
  const meter = await createProgressMeter("Reading", terminal);
  for (let second = 0; second < 12; second += 1) {
    now = second * 1000;
    meter.show(second, 12, `${second} of 12 items`);
  }
  meter.stop();
  assert.deepEqual(err, ["Reading: 5 of 12 items", "Reading: 10 of 12 items"]);
});

it("the progress meter draws a bar for whoever watches, and nothing when there is nothing to tell", () => {
  const drawn = (calls: string) => {
    const program = `
      import { createProgressMeter } from ${JSON.stringify(METER)};
      const meter = await createProgressMeter("Reading", { isInteractive: true });
      ${calls} meter.stop();`;
    const args = ["--input-type=module", "--eval", program];
    return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
  };
  assert.equal(drawn(""), "");
  const bar = drawn('meter.show(1, 4, "1 of 4 items"); meter.show(4, 4, "4 of 4 items");');
  assert.match(bar, /Reading: 4 of 4 items/);
});
