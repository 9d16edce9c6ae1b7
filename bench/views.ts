import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { freePort } from "../test/support/free-port.ts";
import { until } from "../test/support/until.ts";
import { CHROME } from "./load/clients.ts";
import { median } from "./load/comparing.ts";
import { addressesIn, ForgetfulStore } from "./load/first-views.ts";
import { describeMachine } from "./load/machine.ts";
import { MeasuredProcess } from "./load/process.ts";
import { type LoadRequest, sendLoad } from "./load/wrk.ts";

/**
 * Measures the share of a page's CPU time that counting its views takes: `npm run bench:views -- [--seconds
 * 20]`. Needs wrk. In one server, counting is turned on and off every 50 ms under load, and the CPU time of
 * the serving thread in slices with counting is compared with that in the adjacent slices. This comparison is
 * too coarse for counting, so counting is also measured by itself on the same addresses, and saving after the
 * load. The share is computed from these two.
 */
const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const SECONDS = Number(values.seconds);
const SHARE_MAX = 0.01;
/** Interval at which the server saves. */
const SAVE_SECONDS = 10;
const WARMING_SECONDS = 5;
const foundSchema = z.object({
  slices: z.array(z.object({ isCounting: z.boolean(), microseconds: z.number() })),
  saves: z.array(z.number()),
  note: z.number(),
});

await using stack = new AsyncDisposableStack();
const dataDir = stack.adopt(mkdtempSync(join(tmpdir(), "bench-views-")), (made) =>
  rmSync(made, { recursive: true, force: true }),
);
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const found = join(dataDir, "views.json");
const words = ["--import", "./bench/load/counting-cost.ts", "src/main.ts", "serve"];
const environment = {
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: "warn",
  VIEWS_FILE: found,
};
const server = stack.use(
  await MeasuredProcess.start(process.execPath, words, { environment, ready: /Issue a key/ }),
);
const store = stack.use(new ForgetfulStore(join(dataDir, "commonplace.db")));
const { topics, quotations } = addressesIn(join(dataDir, "commonplace.db"));
const get = (targets: readonly string[]) =>
  targets.map((target): LoadRequest => ({ method: "GET", target, headers: CHROME }));
const cases = [
  { name: "a kept page", requests: get(topics.slice(0, 1)), forget: undefined },
  { name: "kept pages in turn", requests: get(quotations.slice(0, 1000)), forget: undefined },
  { name: "a first view", requests: get(quotations), forget: () => store.forget() },
];

const rows = [];
for (const { name, ...load } of cases) {
  await measured(load, WARMING_SECONDS);
  const { slices, saves, note, requests } = await measured(load, SECONDS);
  const page = median(slices.filter((slice) => !slice.isCounting).map((each) => each.microseconds));
  const difference = median(differences(slices));
  const saving = median(saves) / ((requests / SECONDS) * SAVE_SECONDS);
  const share = (note + saving) / (page + note + saving);
  rows.push({
    what: name,
    "page, CPU µs": rounded(page),
    "with counting, CPU µs more": rounded(difference),
    "counting, CPU µs": rounded(note),
    "a save, CPU ms": rounded(median(saves) / 1000),
    "saves, CPU µs a page": rounded(saving),
    "share, %": rounded(share * 100),
    slices: slices.length,
    isWithin: share <= SHARE_MAX,
  });
}
console.table(rows);
console.log(JSON.stringify(describeMachine()));
process.exitCode = rows.every(({ isWithin }) => isWithin) ? 0 : 1;

async function measured(load: Omit<(typeof cases)[number], "name">, seconds: number) {
  const { requests, failures } = await sendLoad({ origin, ...load, seconds });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  await sleep((SAVE_SECONDS + 1.5) * 1000);
  rmSync(found, { force: true });
  process.kill(server.pid, "SIGUSR2");
  await until(() => existsSync(found) && readFileSync(found, "utf8").endsWith("}"));
  return { ...foundSchema.parse(JSON.parse(readFileSync(found, "utf8"))), requests };
}

/** Differences between each slice with counting and the mean of the adjacent slices without it. */
function differences(slices: z.infer<typeof foundSchema>["slices"]): number[] {
  return slices.flatMap(({ isCounting, microseconds }, at) => {
    const [before, after] = [slices[at - 1], slices[at + 1]];
    if (!isCounting || before === undefined || after === undefined) return [];
    if (before.isCounting || after.isCounting) return [];
    return [microseconds - (before.microseconds + after.microseconds) / 2];
  });
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
