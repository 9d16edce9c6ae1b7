import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { issueKey } from "../src/access/keys/keys.ts";
import { openRecord } from "../src/storage/record/open.ts";
import { Instance } from "../test/judges/scale/instance.ts";
import { freePort } from "../test/support/free-port.ts";
import { startPrivatePostgres } from "../test/support/private-postgres.ts";
import { writeCases } from "./load/cases.ts";
import { measureRound, median } from "./load/comparing.ts";
import { describeMachine } from "./load/machine.ts";
import { cpuSecondsOf } from "./load/process.ts";
import { sendLoad } from "./load/wrk.ts";

/**
 * Measures how many single changes per second one instance makes in PostgreSQL, and the CPU time of each.
 * Each is answered when it is durable and visible: `npm run bench:changes -- [--rounds 5] [--seconds 3]
 * [--clients 16]`. Needs wrk and PostgreSQL.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    clients: { type: "string", default: "16" },
  },
});
/** Several keys, because a key may make at most 100,000 requests per minute. */
const KEYS = 40;
const CASES: readonly string[] = ["API, new draft", "API, new published quotation"];

await using stack = new AsyncDisposableStack();
const folder = stack.adopt(mkdtempSync(join(tmpdir(), "changes-")), (made) =>
  rmSync(made, { recursive: true, force: true }),
);
const postgres = stack.use(await startPrivatePostgres());
const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const dataDir = join(folder, "data");
const place = { port, publicUrl, dataDir, databaseUrl: postgres.url };
const instance = stack.use(new Instance({ ...place, demo: true }));
await instance.start();

const cases = writeCases(await issueKeys(), []);
const rows = [];
for (const { name, requests } of cases.filter(({ name }) => CASES.includes(name))) {
  const load = { origin: publicUrl, requests, clients: Number(values.clients) };
  await sendLoad({ ...load, seconds: 5 });
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const process = { cpuSeconds: () => cpuSecondsOf(instance.pid) };
    rounds.push(await measureRound(process, { ...load, seconds: Number(values.seconds) }));
  }
  rows.push({
    what: name,
    "changes/s": Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    "of each round": rounds.map(({ perSecond }) => Math.round(perSecond)).join(" "),
    "CPU µs each": Math.round(median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds))),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  });
}
console.table(rows);
console.log(JSON.stringify(describeMachine()));

async function issueKeys(): Promise<string[]> {
  const file = join(folder, "none.db");
  await using record = await openRecord({
    url: postgres.url,
    file,
    origin: publicUrl,
    follows: false,
  });
  const scopes = ["content:read", "content:write", "content:publish"] as const;
  const input = { name: "Bench", scopes, ratePerMinute: 100_000 };
  const issued: string[] = [];
  for (let number = 0; number < KEYS; number += 1) {
    issued.push((await issueKey(record.keys, { kind: "operator" }, input, new Date())).key);
  }
  return issued;
}
