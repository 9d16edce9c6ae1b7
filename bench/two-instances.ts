import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Instance } from "../test/judges/scale/instance.ts";
import { freePort } from "../test/support/free-port.ts";
import { startPrivatePostgres } from "../test/support/private-postgres.ts";
import { CHROME } from "./load/clients.ts";
import { addressesIn, ForgetfulStore } from "./load/first-views.ts";
import { describeMachine } from "./load/machine.ts";
import { cpuSecondsOf } from "./load/process.ts";
import { type LoadRequest, sendLoad } from "./load/wrk.ts";

/**
 * Measures how many pages two instances serve with a processor each, compared with one: `npm run
 * bench:two-instances -- [--rounds 5] [--seconds 3] [--json FILE]`. Needs wrk and PostgreSQL. The clients run
 * on the same processors, so requests per second of CPU time are compared.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    json: { type: "string" },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
const BAR = 1.8;
if (cpus().length < 2) throw new Error("There have to be two processors");
await using stack = new AsyncDisposableStack();
const folder = stack.adopt(mkdtempSync(join(tmpdir(), "two-instances-")), (made) =>
  rmSync(made, { recursive: true, force: true }),
);
const postgres = stack.use(await startPrivatePostgres());
const publicUrl = `http://127.0.0.1:${await freePort()}`;
const instances: Instance[] = [];
for (const processor of [0, 1]) {
  const dataDir = join(folder, String(processor));
  const place = { port: await freePort(), publicUrl, dataDir, databaseUrl: postgres.url };
  const instance = stack.use(new Instance({ ...place, processor, demo: true }));
  await instance.start();
  instances.push(instance);
}

const served = instances.map((instance) => ({
  instance,
  store: stack.use(new ForgetfulStore(instance.copy)),
}));
const { topics, quotations } = addressesIn(instances[0]?.copy ?? "");
const get = (targets: readonly string[]) =>
  targets.map((target): LoadRequest => ({ method: "GET", target, headers: CHROME }));
const cases = [
  { name: "topic, Chrome, kept", requests: get(topics.slice(0, 1)) },
  { name: "topic, Chrome, first", requests: get(topics) },
  { name: "quotation, Chrome, first", requests: get(quotations) },
];

const rows = [];
for (const { name, requests } of cases) {
  const load = { requests, isFirst: name.endsWith("first") };
  await sendToAll(served, load);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await sendToAll(served.slice(0, 1), load);
    const two = await sendToAll(served, load);
    rounds.push({ one, two, ratio: (2 * two.perCpuSecond) / one.perCpuSecond });
  }
  const ratio = median(rounds.map((round) => round.ratio));
  rows.push({
    what: name,
    "one: requests a CPU second": Math.round(median(rounds.map(({ one }) => one.perCpuSecond))),
    "two: requests a CPU second": Math.round(median(rounds.map(({ two }) => two.perCpuSecond))),
    "two with a core each, as one": Number(ratio.toFixed(2)),
    "one: requests/s": Math.round(median(rounds.map(({ one }) => one.perSecond))),
    "two: requests/s, with their clients": Math.round(
      median(rounds.map(({ two }) => two.perSecond)),
    ),
    failures: rounds.reduce((sum, { one, two }) => sum + one.failures + two.failures, 0),
  });
}
console.table(rows);
const machine = describeMachine();
console.log(JSON.stringify(machine));
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}
process.exitCode = rows.every(
  (row) => row["two with a core each, as one"] >= BAR && row.failures === 0,
)
  ? 0
  : 1;

/** All at once, each from a separate wrk. */
async function sendToAll(
  receivers: typeof served,
  { requests, isFirst }: { requests: readonly LoadRequest[]; isFirst: boolean },
): Promise<{ perSecond: number; perCpuSecond: number; failures: number }> {
  const before = receivers.map(({ instance }) => cpuSecondsOf(instance.pid));
  const figures = await Promise.all(
    receivers.map(({ instance: { origin }, store }) => {
      const forget = isFirst ? () => store.forget() : undefined;
      return sendLoad({ origin, requests, seconds: SECONDS, forget });
    }),
  );
  const cpuSeconds = receivers
    .map(({ instance }, at) => cpuSecondsOf(instance.pid) - (before[at] ?? 0))
    .reduce((sum, each) => sum + each, 0);
  const sum = (of: "requests" | "perSecond" | "failures") =>
    figures.reduce((total, each) => total + each[of], 0);
  return {
    perSecond: sum("perSecond"),
    perCpuSecond: sum("requests") / cpuSeconds,
    failures: sum("failures"),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
