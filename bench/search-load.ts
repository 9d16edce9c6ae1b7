import { mkdtempSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MeasuredProcess } from "./load/process.ts";
import { searchWithoutPause } from "./search/searchers.ts";

/**
 * Measures how long cached pages take while 32 clients search without pause, once with clients that wait a
 * second when they are refused, and once with clients that do not: `npm run bench:search-load -- [--store
 * FOLDER] [--seconds 10] [--clients 32]`. Needs wrk. Without a store, uses the demo.
 */
const PORT = 18_503;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const PAGES = ["/topics/time", "/", "/authors/seneca.md", "/topics"];
const PAUSE_MILLISECONDS = 3;

const { values: flags } = parseArgs({
  options: {
    store: { type: "string" },
    seconds: { type: "string", default: "10" },
    clients: { type: "string", default: "32" },
  },
});
const dataDir = flags.store ?? mkdtempSync(join(tmpdir(), "commonplace-bench-"));
await using server = await MeasuredProcess.start(process.execPath, ["src/main.ts", "serve"], {
  environment: { DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: "warn" },
  ready: /Issue a key/,
});

const seconds = Number(flags.seconds);
const clients = Number(flags.clients);
// Fills the cache of pages.
await pageMilliseconds(1);
const rows: object[] = [{ searching: "nobody", ...summary(await pageMilliseconds(seconds)) }];
for (const isPatient of [true, false]) {
  const before = server.cpuSeconds();
  const [searches, times] = await Promise.all([
    searchWithoutPause(ORIGIN, { clients, seconds: seconds + 1, isPatient }),
    pageMilliseconds(seconds),
  ]);
  rows.push({
    searching: `${clients} clients that ${isPatient ? "wait when refused" : "never wait"}`,
    ...summary(times),
    ...searches,
    "CPU s": round(server.cpuSeconds() - before),
  });
}
console.table(rows);
console.log(`${Math.round(server.residentMegabytes())} MB resident`);

/** Requests pages one after the other on one connection, with short pauses. */
async function pageMilliseconds(forSeconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await readPage(`${ORIGIN}${PAGES[times.length % PAGES.length]}`, agent);
    times.push(performance.now() - start);
    await setTimeout(PAUSE_MILLISECONDS);
  }
  agent.destroy();
  return times;
}

async function readPage(url: string, agent: Agent): Promise<void> {
  const request = get(url, { agent, headers: { accept: "text/html" } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
  });
  for await (const _piece of response);
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`);
}

function summary(times: readonly number[]): object {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * sorted.length)] ?? Number.NaN);
  return {
    pages: times.length,
    "p50 ms": at(0.5),
    "p99 ms": at(0.99),
    "max ms": round(sorted.at(-1) ?? Number.NaN),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
