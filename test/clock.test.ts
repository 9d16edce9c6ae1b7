import assert from "node:assert/strict";
import { it, mock } from "node:test";
import { AppError, englishOnlyWording } from "../src/errors.ts";
import { createLog } from "../src/log.ts";
import { startClock } from "../src/work/clock.ts";

it("logs once that the record is away, that it is back for good, and what fails at every tick", async () => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const logged: string[] = [];
  const log = createLog("info", (line) => logged.push(JSON.parse(line).msg));
  const ran: string[] = [];
  let fault: Error | null = null;
  const task = (name: string) => async () => {
    ran.push(name);
    if (name === "first" && fault !== null) throw fault;
  };
  const clock = startClock([task("first"), task("second")], log);
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second += 1) {
      mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  try {
    const away = new AppError("unavailable", englishOnlyWording("The database is away"), {
      retryAfterSeconds: 5,
    });
    fault = away;
    await seconds(3);
    assert.deepEqual([ran, logged], [["first", "first", "first"], ["The clock waits"]]);
    fault = null;
    await seconds(1);
    fault = away;
    await seconds(1);
    assert.deepEqual(logged, ["The clock waits"], "a database that comes and goes");
    fault = null;
    await seconds(6);
    assert.deepEqual(logged, ["The clock waits", "The clock waits: over"]);

    fault = new Error("a bug");
    ran.length = 0;
    await seconds(2);
    assert.deepEqual(ran, ["first", "second", "first", "second"]);
    assert.deepEqual(logged.slice(2), ["A task of the clock failed"]);
  } finally {
    await clock.stop();
    mock.timers.reset();
  }
});
