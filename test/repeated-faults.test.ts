import assert from "node:assert/strict";
import { it } from "node:test";
import { createLog } from "../src/log.ts";
import { RepeatedErrorLogger } from "../src/repeated-error-logger.ts";
import { until } from "./support/until.ts";

function collected() {
  const lines: { msg: string; times?: number }[] = [];
  return { lines, log: createLog("info", (line) => lines.push(JSON.parse(line))) };
}

it("logs a fault that comes again once, and how often it came when it is over", () => {
  const { lines, log } = collected();
  const repeated = new RepeatedErrorLogger(log);
  for (let time = 0; time < 1000; time += 1) repeated.failed("Copying failed", new Error("no"));
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ["Copying failed"],
  );
  repeated.succeeded("Copying failed");
  repeated.succeeded("Copying failed");
  assert.deepEqual(
    lines.map(({ msg, times }) => [msg, times]),
    [
      ["Copying failed", undefined],
      ["Copying failed: over", 1000],
    ],
  );
});

it("logs a few different faults of one activity, however many there are", () => {
  const { lines, log } = collected();
  const repeated = new RepeatedErrorLogger(log);
  for (let time = 0; time < 1000; time += 1)
    repeated.failed("Copying failed", new Error(`${time}`));
  assert.equal(lines.length, 5);
});

it("takes what was not met for a while for over", async () => {
  const { lines, log } = collected();
  const repeated = new RepeatedErrorLogger(log, { quietMilliseconds: 20 });
  repeated.failed("Copying failed", new Error("no"));
  await until(() => lines.some(({ msg, times }) => msg === "Copying failed: over" && times === 1));
});
