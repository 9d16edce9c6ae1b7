import { mkdtempSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { issueKey } from "../src/access/keys.ts";
import { openRecord } from "../src/storage/record/open.ts";
import { apiCases, type Case, mcpCases, readingCases } from "./load/cases.ts";
import { describeMachine } from "./load/machine.ts";
import { startNginx, startSdkServer } from "./load/peers.ts";
import { MeasuredProcess } from "./load/process.ts";
import { type LoadFigures, type LoadRequest, sendLoad } from "./load/wrk.ts";

/**
 * What each kind of request costs beside bare node:http that sends the same bytes: CPU time a
 * request, requests a second, and time to answer. `npm run bench -- [--store FOLDER] [--rounds 5]
 * [--seconds 2] [--only NAME]… [--json FILE]`; needs wrk. Without a store, on the demo; a store has to
 * have been made with PUBLIC_URL=http://127.0.0.1:18500 and contain the demo's items.
 */
const SERVER_PORT = 18_500;
const FLOOR_PORT = 18_501;
const PEER_PORT = 18_502;
const ORIGIN = `http://127.0.0.1:${SERVER_PORT}`;
const FLOOR = `http://127.0.0.1:${FLOOR_PORT}`;
const PEER = `http://127.0.0.1:${PEER_PORT}`;
/** A key may make 100,000 requests a minute at most, which one alone would soon have made. */
const KEYS = 40;

const { values: flags } = parseArgs({
  options: {
    store: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
  },
});
const machine = describeMachine();
const dataDir = flags.store ?? mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const environment = { DATA_DIR: dataDir, PORT: String(SERVER_PORT), LOG_LEVEL: "warn" };
const serve = { environment, ready: /Issue a key/ };
const words = ["bin/commonplace.cjs", "serve"];

// The first start fills the store and the second the cache of compiled code.
for (const _ of ["store", "cache"]) {
  await (await MeasuredProcess.start(process.execPath, words, serve))[Symbol.asyncDispose]();
}
await using server = await MeasuredProcess.start(process.execPath, words, serve);
const start = {
  readyMilliseconds: Math.round(performance.now() - server.startedAt),
  cpuMilliseconds: Math.round(server.cpuSeconds() * 1000),
  idleMegabytes: Math.round(server.residentMegabytes()),
};
console.log(
  `ready in ${start.readyMilliseconds} ms (CPU ${start.cpuMilliseconds} ms), idle at ${start.idleMegabytes} MB\n`,
);

const keys = await issueKeys();
const isWanted = ({ name }: Case) =>
  flags.only.length === 0 || flags.only.some((part) => name.includes(part));
const cases = [...readingCases(), ...mcpCases(keys), ...apiCases(keys)].filter(isWanted);
const prepared: Prepared[] = [];
for (const { requests } of cases) {
  const [sample] = requests;
  if (sample !== undefined) prepared.push(await recorded(sample));
}
const preparedFile = join(mkdtempSync(join(tmpdir(), "floor-")), "prepared.json");
writeFileSync(preparedFile, JSON.stringify({ ...prepared }));
await using floor = await MeasuredProcess.start(
  process.execPath,
  ["bench/load/floor.ts", String(FLOOR_PORT), preparedFile],
  { ready: /ready/ },
);

const rows: object[] = [];
for (const [position, { name, bar, requests }] of cases.entries()) {
  const target = `/${position}`;
  const floorRequests = requests.slice(0, 1).map((one) => ({ ...one, target }));
  rows.push({
    what: name,
    ...(await compared(
      () => measured(server, ORIGIN, requests),
      () => measured(floor, FLOOR, floorRequests),
    )),
    bar: bar ?? "",
  });
}
if (flags.only.length === 0) rows.push(...(await peerRows()));
console.table(rows);
const loadedMegabytes = Math.round(server.residentMegabytes());
console.log(`after the load: ${loadedMegabytes} MB`);
if (flags.json !== undefined) {
  const figures = { machine, flags: { ...flags, json: undefined }, start, loadedMegabytes, rows };
  writeFileSync(flags.json, `${JSON.stringify(figures, null, 2)}\n`);
}

interface Round extends LoadFigures {
  cpuMicroseconds: number;
}

/**
 * Medians over rounds in which both take turns, after one that warms both up. The ratio is that of
 * each round, since whatever else the machine does slows both sides of a round alike.
 */
async function compared(ours: () => Promise<Round>, floor: () => Promise<Round>): Promise<object> {
  const rounds: { ours: Round; bare: Round }[] = [];
  for (let round = 0; round <= Number(flags.rounds); round += 1) {
    const bare = await floor();
    rounds.push({ ours: await ours(), bare });
  }
  const warm = rounds.slice(1);
  const of = (figure: keyof Round) => median(warm.map((round) => round.ours[figure]));
  return {
    "req/s": Math.round(of("perSecond")),
    "CPU µs": rounded(of("cpuMicroseconds")),
    "bare µs": rounded(median(warm.map(({ bare }) => bare.cpuMicroseconds))),
    ratio: rounded(
      median(warm.map((round) => round.ours.cpuMicroseconds / round.bare.cpuMicroseconds)),
      100,
    ),
    "p50 ms": rounded(of("p50Milliseconds"), 100),
    "p99 ms": rounded(of("p99Milliseconds"), 100),
    failures: rounds.reduce((sum, round) => sum + round.ours.failures, 0),
  };
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

/** The same bytes from others, beside the same floor. */
async function peerRows(): Promise<object[]> {
  const peers: object[] = [];
  const files: Record<string, Uint8Array> = {};
  for (const [position, { body }] of prepared.entries()) {
    files[String(position)] = Buffer.from(body, "base64");
  }
  const compare = async (what: string, peer: MeasuredProcess, name: string, target?: string) => {
    const position = cases.findIndex((one) => one.name === name);
    const [request] = cases[position]?.requests ?? [];
    if (request === undefined) throw new Error(`There is no case ${name}`);
    const own = { ...request, target: target ?? `/${position}` };
    const bare = { ...request, target: `/${position}` };
    peers.push({
      what: `${what}: ${name}`,
      ...(await compared(
        () => measured(peer, PEER, [own]),
        () => measured(floor, FLOOR, [bare]),
      )),
      bar: "",
    });
  };
  {
    await using nginx = await startNginx(files, PEER_PORT);
    if (nginx === null) console.log("nginx is not here and left out");
    else for (const name of ["page, HTML", "sitemap.xml"]) await compare("nginx", nginx, name);
  }
  const tools = ["get_content_by_url", "list_quotations_by_topic"];
  const results = tools.map((tool) => {
    const position = cases.findIndex((one) => one.name === `${tool}, legacy`);
    const body = Buffer.from(prepared[position]?.body ?? "", "base64").toString();
    return [tool, JSON.parse(body).result];
  });
  await using sdk = await startSdkServer(Object.fromEntries(results), PEER_PORT);
  if (sdk === null) console.log("The SDK is left out: it needs npm ci --prefix test/judges");
  else for (const tool of tools) await compare("official SDK", sdk, `${tool}, legacy`, "/mcp");
  return peers;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

interface Prepared {
  status: number;
  headers: string[];
  /** Base64. */
  body: string;
}

/** The answer to a request, for the floor to give; what node:http adds by itself left out. */
async function recorded({ method, target, headers, body }: LoadRequest): Promise<Prepared> {
  const asked = (text: string) => text.replaceAll("{n}", "0");
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(ORIGIN + asked(target), { method, headers }, resolve)
      .on("error", reject)
      .end(body === undefined ? undefined : asked(body));
  });
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const { statusCode: status = 0, rawHeaders } = answer;
  const whole = Buffer.concat(pieces);
  if (status >= 400 || whole.includes('"isError":true')) {
    throw new Error(`${target}: ${status} ${whole}`);
  }
  const own = rawHeaders.flatMap((name, position) =>
    position % 2 === 0 && !/^(?:date|connection|keep-alive|transfer-encoding)$/i.test(name)
      ? [name, rawHeaders[position + 1] ?? ""]
      : [],
  );
  return { status, headers: own, body: whole.toString("base64") };
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
