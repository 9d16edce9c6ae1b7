import { mkdtempSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { issueKey } from "../src/access/keys.ts";
import { openRecord } from "../src/storage/record/open.ts";
import { apiCases, type Case, mcpCases, readingCases } from "./load/cases.ts";
import { MeasuredProcess } from "./load/process.ts";
import { type LoadFigures, type LoadRequest, sendLoad } from "./load/wrk.ts";

/**
 * What each kind of request costs beside bare node:http that sends the same bytes: CPU time a
 * request, requests a second, and time to answer. `npm run bench -- [--store FOLDER] [--rounds 5]
 * [--seconds 2] [--only NAME] [--json FILE]`; needs wrk. Without a store, on the demo.
 */
const SERVER_PORT = 18_500;
const FLOOR_PORT = 18_501;
const ORIGIN = `http://127.0.0.1:${SERVER_PORT}`;
const FLOOR = `http://127.0.0.1:${FLOOR_PORT}`;
/** A key may make 100,000 requests a minute at most, which one alone would soon have made. */
const KEYS = 40;

const { values: flags } = parseArgs({
  options: {
    store: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    only: { type: "string" },
    json: { type: "string" },
  },
});
const dataDir = flags.store ?? mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const environment = { DATA_DIR: dataDir, PORT: String(SERVER_PORT), LOG_LEVEL: "warn" };
const serve = { environment, ready: /Issue a key/ };
const words = ["src/main.ts", "serve"];

// The first start fills the store; only the second tells what a start takes.
await (await MeasuredProcess.start(process.execPath, words, serve))[Symbol.asyncDispose]();
await using server = await MeasuredProcess.start(process.execPath, words, serve);
const start = {
  readyMilliseconds: Math.round(performance.now() - server.startedAt),
  idleMegabytes: Math.round(server.residentMegabytes()),
};
console.log(`ready in ${start.readyMilliseconds} ms, idle at ${start.idleMegabytes} MB\n`);

const keys = await issueKeys();
const isWanted = ({ name }: Case) => flags.only === undefined || name.includes(flags.only);
const cases = [...readingCases(), ...mcpCases(keys), ...apiCases(keys)].filter(isWanted);
const prepared: Record<string, object> = {};
for (const [position, { requests }] of cases.entries()) {
  const [sample] = requests;
  if (sample !== undefined) prepared[position] = await recorded(sample);
}
const preparedFile = join(mkdtempSync(join(tmpdir(), "floor-")), "prepared.json");
writeFileSync(preparedFile, JSON.stringify(prepared));
await using floor = await MeasuredProcess.start(
  process.execPath,
  ["bench/load/floor.ts", String(FLOOR_PORT), preparedFile],
  { ready: /ready/ },
);

const rows = [];
for (const [position, { name, bar, requests }] of cases.entries()) {
  const ours: Round[] = [];
  const bare: Round[] = [];
  const floorRequests = requests.slice(0, 1).map((one) => ({ ...one, target: `/${position}` }));
  // The first round warms both up.
  for (let round = 0; round <= Number(flags.rounds); round += 1) {
    bare.push(await measured(floor, FLOOR, floorRequests));
    ours.push(await measured(server, ORIGIN, requests));
  }
  const figures = median(ours.slice(1));
  const floorFigures = median(bare.slice(1));
  rows.push({
    what: name,
    "req/s": Math.round(figures.perSecond),
    "CPU µs": rounded(figures.cpuMicroseconds),
    "bare µs": rounded(floorFigures.cpuMicroseconds),
    ratio: rounded(figures.cpuMicroseconds / floorFigures.cpuMicroseconds, 100),
    bar: bar ?? "",
    "p50 ms": rounded(figures.p50Milliseconds, 100),
    "p99 ms": rounded(figures.p99Milliseconds, 100),
    failures: ours.reduce((sum, { failures }) => sum + failures, 0),
  });
}
console.table(rows);
const loadedMegabytes = Math.round(server.residentMegabytes());
console.log(`after the load: ${loadedMegabytes} MB`);
if (flags.json !== undefined) {
  writeFileSync(flags.json, `${JSON.stringify({ start, loadedMegabytes, rows }, null, 2)}\n`);
}

interface Round extends LoadFigures {
  cpuMicroseconds: number;
}

async function measured(
  process: MeasuredProcess,
  origin: string,
  requests: readonly LoadRequest[],
): Promise<Round> {
  const before = process.cpuSeconds();
  const figures = await sendLoad(origin, requests, Number(flags.seconds));
  const cpuMicroseconds = ((process.cpuSeconds() - before) * 1e6) / figures.requests;
  return { ...figures, cpuMicroseconds };
}

/** Each figure's median by itself. */
function median(rounds: readonly Round[]): Round {
  const of = (figure: keyof Round) => {
    const sorted = rounds.map((round) => round[figure]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    requests: of("requests"),
    perSecond: of("perSecond"),
    p50Milliseconds: of("p50Milliseconds"),
    p99Milliseconds: of("p99Milliseconds"),
    failures: of("failures"),
    cpuMicroseconds: of("cpuMicroseconds"),
  };
}

/** The answer to a request, for the floor to give; what node:http adds by itself left out. */
async function recorded({ method, target, headers, body }: LoadRequest): Promise<object> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(ORIGIN + target, { method, headers }, resolve)
      .on("error", reject)
      .end(body);
  });
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const { statusCode: status = 0, rawHeaders } = answer;
  if (status >= 400) throw new Error(`${target}: ${status} ${Buffer.concat(pieces)}`);
  const own = rawHeaders.flatMap((name, position) =>
    position % 2 === 0 && !/^(?:date|connection|keep-alive|transfer-encoding)$/i.test(name)
      ? [name, rawHeaders[position + 1] ?? ""]
      : [],
  );
  return { status, headers: own, body: Buffer.concat(pieces).toString("base64") };
}

async function issueKeys(): Promise<string[]> {
  await using record = await openRecord({
    file: join(dataDir, "commonplace.db"),
    origin: ORIGIN,
    otherOrigin: "keep",
  });
  const input = {
    name: "Bench",
    scopes: ["mcp:read", "content:read", "content:write", "content:publish"] as const,
    ratePerMinute: 100_000,
  };
  const keys: string[] = [];
  for (let number = 0; number < KEYS; number += 1) {
    const { key } = await issueKey(record.keys, { kind: "operator" }, input, new Date());
    keys.push(key);
  }
  return keys;
}

function rounded(value: number, fractions = 10): number {
  return Math.round(value * fractions) / fractions;
}
