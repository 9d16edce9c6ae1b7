import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { INHERITED, MAIN, openSiteLine } from "../support/command-line.ts";
import { freePort } from "../support/free-port.ts";
import { serve, stop } from "../support/served.ts";
import { until } from "../support/until.ts";

/** Has the process throw in the middle of nowhere when it receives SIGUSR2. */
const THROWING = `data:text/javascript,${encodeURIComponent(
  `process.on("SIGUSR2", () => {
    setTimeout(() => { throw new Error("thrown in a timer") });
    void Promise.reject(new Error("rejected"));
  })`,
)}`;

it("serves on after exceptions nobody handled, and ends at SIGTERM alone", async () => {
  using line = await openSiteLine({ DEMO: "0", NODE_OPTIONS: `--import=${THROWING}` });
  await using served = await serve(line);
  for (const signal of ["SIGUSR2", "SIGHUP"] as const) {
    for (let sent = 0; sent < 8; sent += 1) {
      served.process.kill(signal);
      await sleep(5);
    }
  }
  await until(() => served.output().includes("rejected"));
  assert.equal((await fetch(`${served.origin}/readyz`)).status, 200);
  const lines = served.output().match(/An exception was not handled; continuing/g) ?? [];
  assert.ok(lines.length > 1 && lines.length <= 10, `${lines.length} lines`);
  assert.equal(await stop(served, "SIGTERM"), 0);
});

it("serves on while nothing can be written to its log, and counts the lines", async () => {
  using line = await openSiteLine({ DEMO: "0", LOG_LEVEL: "debug" });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const full = openSync("/dev/full", "w");
  const more = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const child = spawn(process.execPath, [MAIN, "serve"], {
    env: { ...INHERITED, ...line.environment, ...more },
    stdio: ["ignore", full, full],
  });
  const exit = once(child, "exit");
  await until(() => isReady(port));
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  assert.match(text, /^commonplace_log_lines_lost_total [1-9]/m);
  assert.equal(child.exitCode, null);
  child.kill("SIGTERM");
  assert.deepEqual(await exit, [0, null]);
});

it("serves on when the reader of its log is gone", async () => {
  using line = await openSiteLine({ DEMO: "0", LOG_LEVEL: "debug" });
  await using served = await serve(line);
  served.process.stdout?.destroy();
  served.process.stderr?.destroy();
  for (let asked = 0; asked < 5; asked += 1) {
    assert.equal((await fetch(`${served.origin}/nowhere`)).status, 404);
  }
  assert.equal(await stop(served, "SIGTERM"), 0);
});

async function isReady(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}
