import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { issueKey } from "../src/access/keys/keys.ts";
import { openRecord } from "../src/storage/record/open.ts";
import { apiCases, type Case, mcpCases, readingCases, writeCases } from "./load/cases.ts";
import { compareCosts, measureRound, median, type Round, type Row } from "./load/comparing.ts";
import { addressesIn, ForgetfulStore } from "./load/first-views.ts";
import { startFloor } from "./load/floor-side.ts";
import { grownStore } from "./load/growing.ts";
import { describeMachine } from "./load/machine.ts";
import { type Figures, growthTable, tablesOf } from "./load/markdown.ts";
import { comparePeers } from "./load/peers.ts";
import { MeasuredProcess } from "./load/process.ts";
import { compareWorkers } from "./load/workers.ts";
import { startWritePeer } from "./load/writing.ts";
import type { LoadRequest } from "./load/wrk.ts";

/**
 * Compares each kind of request, as real clients send it, with bare node:http sending the same bytes in
 * the same coding, and each write with the bare transaction: CPU time per request, requests per second,
 * response time. Needs wrk.
 *
 *     npm run bench -- [--quick] [--grow ITEMS] [--only NAME]… [--rounds 5] [--seconds 1] [--keep]
 *
 * Runs on the demo, or on the demo grown to ITEMS, where only the rows that must stay flat are measured.
 * `--keep` writes the figures to bench/results/ and the tables made of them to docs/performance.md.
 */
const SERVER_PORT = 18_500;
const FLOOR_PORT = 18_501;
const PEER_PORT = 18_502;
const ORIGIN = `http://127.0.0.1:${SERVER_PORT}`;
const FLOOR = `http://127.0.0.1:${FLOOR_PORT}`;
/** Several keys, because a key may make at most 100,000 requests per minute. */
const KEYS = 40;
const STARTS = 5;
const TRANSACTIONS_A_ROUND = 100;
const WARMING_SECONDS = 5;
/** Cases that V8 has not compiled completely after the one second that warms up the others. */
const LONG_PATH = /first/;
const QUICK_WORKERS_ROUNDS = 3;
const RESULTS = new URL("./results/", import.meta.url);
const DOCUMENT = new URL("../docs/performance.md", import.meta.url);
/** Matches rows whose cost must not grow with the number of items. */
const GROWING = /^(?:topic, |tools\/list|list_quotations_by_topic|get_content_by_url)|first/;

const { values: flags } = parseArgs({
  options: {
    grow: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const isWhole = flags.only.length === 0 && flags.grow === undefined && !flags.quick;
const machine = describeMachine();
const items = flags.grow === undefined ? null : Number(flags.grow);
const dataDir =
  items === null
    ? mkdtempSync(join(tmpdir(), "commonplace-bench-"))
    : await grownStore(items, { origin: ORIGIN });
const file = join(dataDir, "commonplace.db");
const environment = {
  DATA_DIR: dataDir,
  PORT: String(SERVER_PORT),
  PUBLIC_URL: ORIGIN,
  LOG_LEVEL: "warn",
};
const serve = { environment, ready: /Issue a key/ };
const words = ["bin/commonplace.cjs", "serve"];

// The first start fills the store, and the second the cache of compiled code.
for (const _ of ["store", "cache"]) await (await started())[Symbol.asyncDispose]();
const start = await startFigures();
console.log(
  `ready in ${start.readyMilliseconds} ms (CPU ${start.cpuMilliseconds} ms), idle at ${start.idleMegabytes} MB`,
);
const keys = await issueKeys();
const addresses = addressesIn(file);
using store = new ForgetfulStore(file);
/** Writes change the size of the store. */
const itemsBefore = countOfItems();
const writing = writeCases(keys, publishedQuotations()).filter(isWanted);
const peers = [];
for (const one of items === null ? writing : []) peers.push([one, await peerOf(one)] as const);

const rows: Row[] = [];
let loadedMegabytes = 0;
{
  await using server = await started();
  const cases = [...readingCases(addresses), ...mcpCases(keys), ...apiCases(keys)].filter(isWanted);
  const { floor, prepared } = await startFloor(cases, { origin: ORIGIN, port: FLOOR_PORT, store });
  await using _floor = floor;
  const bareCost =
    (position: number, { requests }: Case) =>
    async () => {
      const target = `/${position}`;
      const same = requests.slice(0, 1).map((one): LoadRequest => ({ ...one, target }));
      return (await measureRound(floor, { origin: FLOOR, requests: same, seconds }))
        .cpuMicroseconds;
    };
  const ours = (one: Case) => () => load(server, one, seconds);
  const [first] = cases;
  // V8 takes seconds to compile what all cases run through, on both sides.
  if (first !== undefined) await compareCosts(WARMING_SECONDS, ours(first), bareCost(0, first));
  for (const [position, one] of cases.entries()) {
    if (LONG_PATH.test(one.name)) await warmUp(server, one);
    addRow(one, await compareCosts(rounds, ours(one), bareCost(position, one)));
  }
  for (const [one, peer] of peers) {
    await warmUp(server, one);
    addRow(one, await compareCosts(rounds, ours(one), peer.cpuMicroseconds));
    await peer[Symbol.asyncDispose]();
  }
  loadedMegabytes = Math.round(server.residentMegabytes());
  if (isWhole) {
    const options = { port: PEER_PORT, rounds, seconds, bareCost };
    for (const row of await comparePeers(cases, prepared, options)) addRow({ name: row.what }, row);
  }
}
const comparesWorkers = flags.only.length === 0 ? items === null : flags.only.includes("workers");
const workers = comparesWorkers ? await workersFigures() : [];
const found = { machine, items: itemsBefore, start, loadedMegabytes, rows, workers };
console.log(`\n${tablesOf(found)}`);
if (flags.keep && flags.only.length === 0) keep(found);

async function started(): Promise<MeasuredProcess> {
  return await MeasuredProcess.start(process.execPath, words, serve);
}

async function load(server: MeasuredProcess, one: Case, duration: number): Promise<Round> {
  const forget = one.isFirst === true ? () => store.forget() : undefined;
  return await measureRound(server, { ...one, origin: ORIGIN, seconds: duration, forget });
}

/**
 * Warms up for as long as V8 takes to compile everything that the requests run through; a second for the
 * floor.
 */
async function warmUp(server: MeasuredProcess, one: Case): Promise<void> {
  await load(server, one, WARMING_SECONDS);
}

function isWanted({ name, bar }: Case): boolean {
  if (flags.only.length > 0) return flags.only.some((part) => name.includes(part));
  if (flags.grow !== undefined) return GROWING.test(name);
  return !flags.quick || (bar !== undefined && !/Claude Code|list of|sitemap/.test(name));
}

function addRow(
  { name, bar }: Pick<Case, "name" | "bar">,
  figures: Omit<Row, "what" | "bar">,
): void {
  const row = { ...figures, what: name, ...(bar === undefined ? {} : { bar }) };
  rows.push(row);
  const { cpuMicroseconds, bareMicroseconds, ratio, failures } = row;
  const failed = failures > 0 ? `, ${failures} failed` : "";
  console.log(`${name}: ${cpuMicroseconds} µs, bare ${bareMicroseconds}, ratio ${ratio}${failed}`);
}

/** Medians of several starts. */
async function startFigures(): Promise<Figures["start"]> {
  const all: Figures["start"][] = [];
  for (let number = 0; number < STARTS; number += 1) {
    await using server = await started();
    all.push({
      readyMilliseconds: performance.now() - server.startedAt,
      cpuMilliseconds: server.cpuSeconds() * 1000,
      idleMegabytes: server.residentMegabytes(),
    });
  }
  const of = (figure: keyof Figures["start"]) => Math.round(median(all.map((one) => one[figure])));
  return {
    readyMilliseconds: of("readyMilliseconds"),
    cpuMilliseconds: of("cpuMilliseconds"),
    idleMegabytes: of("idleMegabytes"),
  };
}

async function peerOf(one: Case) {
  const copies = { dataDir, environment, origin: ORIGIN };
  const turns = { rounds: rounds + 1, transactionsARound: TRANSACTIONS_A_ROUND };
  return await startWritePeer(one, { ...copies, ...turns });
}

/**
 * Cheap requests show the cost of asking for the limits, and expensive ones the benefit of two processors.
 */
async function workersFigures(): Promise<Figures["workers"]> {
  const names = ["tools/list, SDK", "get_content_by_url, a topic, first, SDK"];
  const all = [...readingCases(addresses), ...mcpCases(keys)];
  const cases = all.filter(({ name }) => names.includes(name));
  const turns = flags.quick ? Math.min(rounds, QUICK_WORKERS_ROUNDS) : rounds;
  const ports: [number, number] = [SERVER_PORT, PEER_PORT];
  const copy = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  cpSync(dataDir, copy, { recursive: true });
  const environments: [typeof environment, typeof environment] = [
    environment,
    { ...environment, DATA_DIR: copy },
  ];
  using copied = new ForgetfulStore(join(copy, "commonplace.db"));
  const forget: [() => void, () => void] = [() => store.forget(), () => copied.forget()];
  return await compareWorkers(cases, { environments, ports, rounds: turns, seconds, forget });
}

function keep(figures: Figures): void {
  const name = items === null ? "demo" : `${items}-items`;
  writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify(figures, null, 2)}\n`);
  const [demo = null, ...larger] = ["demo", "31000-items", "1000000-items"].map(keptFigures);
  const all = [demo, ...larger].filter((each) => each !== null);
  let text = readFileSync(DOCUMENT, "utf8");
  if (demo !== null) text = filled(text, "figures", tablesOf(demo));
  if (all.length > 1) text = filled(text, "growth", growthTable(all));
  writeFileSync(DOCUMENT, text);
}

/** Null: there are no figures, or they have an earlier form. */
function keptFigures(name: string): Figures | null {
  const results = new URL(`${name}.json`, RESULTS);
  if (!existsSync(results)) return null;
  const figures: Figures = JSON.parse(readFileSync(results, "utf8"));
  return "items" in figures ? figures : null;
}

/** Replaces the text between `<!-- NAME -->` and `<!-- end of NAME -->`. */
function filled(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before = "", rest = ""] = text.split(begin);
  return `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1] ?? ""}`;
}

async function issueKeys(): Promise<string[]> {
  await using record = await openRecord({ file, origin: ORIGIN, otherOrigin: "keep" });
  const input = {
    name: "Bench",
    scopes: ["mcp:read", "content:read", "content:write", "content:publish"] as const,
    ratePerMinute: 100_000,
  };
  const issued: string[] = [];
  for (let number = 0; number < KEYS; number += 1) {
    const { key } = await issueKey(record.keys, { kind: "operator" }, input, new Date());
    issued.push(key);
  }
  return issued;
}

function publishedQuotations(): string[] {
  const sql =
    "SELECT id FROM items WHERE type = 'quotation' AND status = 'published' ORDER BY id LIMIT ?";
  return asked(sql, KEYS).map(({ id }) => String(id));
}

function countOfItems(): number {
  return Number(asked("SELECT count(*) AS items FROM items WHERE revision >= ?", 1)[0]?.["items"]);
}

function asked(sql: string, value: number) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(sql).all(value);
  } finally {
    db.close();
  }
}
