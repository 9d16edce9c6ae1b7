import assert from "node:assert/strict";
import { it, mock } from "node:test";
import { createHttpHandler } from "../../src/http/front.ts";
import { createLog } from "../../src/log.ts";
import { idleParts } from "../support/http-parts.ts";
import { openFixture } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

it("logs errors that anyone can provoke to a limit, and then counts them", async () => {
  await using site = await openFixture();
  mock.timers.enable({ apis: ["setTimeout"] });
  const lines: { status: number; path?: string; more?: number }[] = [];
  const log = createLog("info", (line) => lines.push(JSON.parse(line)));
  const app = createHttpHandler({ ...idleParts(site.reading), log });
  const ask = async (path: string) => assert.equal((await sendTo(app, path)).status, 404);
  for (let number = 0; number < 50; number += 1) await ask(`/nowhere-${number}`);
  assert.equal(lines.length, 20);
  assert.equal((await sendTo(app, "/topics/time", { method: "PUT" })).status, 405);
  assert.deepEqual(lines.at(-1)?.status, 405);
  mock.timers.tick(60_000);
  const [summary] = lines.slice(21);
  assert.deepEqual([summary?.status, summary?.more, lines.length], [404, 30, 22]);
  await ask("/nowhere");
  assert.equal(lines.at(-1)?.path, "/nowhere");
  mock.timers.reset();
});
