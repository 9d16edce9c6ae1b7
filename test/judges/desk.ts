import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { EditorsData, EditorsTimes } from "./desk/editors.ts";
import { madeUpLines } from "./desk/made-up-lines.ts";
import { askApi, type KillableSite, makeSite } from "./drafts/site.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Measures how long pages take while editors search and pick without pause, and how long the editors wait:
 * `npm run prove:desk -- [--items 34000] [--seconds 15] [--lines FILE]`. `--lines`: JSON lines to import
 * instead of made-up items.
 */
const EDITORS = 5;
/** Pages are read alternately with and without editors, because the speed of a machine varies. */
const ROUNDS = 5;
const PAGES = 300;
const PAGE_PAUSE_MILLISECONDS = 3;
const BUILT_WITHIN_MILLISECONDS = 3_600_000;
const BARS = { pageRatio: 2, pick: 100, search: 150 };

/** Times of pages, in milliseconds, without and with editors. */
interface Measured extends EditorsTimes {
  idle: number[];
  busy: number[];
}

const { values: flags } = parseArgs({
  options: {
    items: { type: "string", default: "34000" },
    seconds: { type: "string", default: "15" },
    lines: { type: "string" },
  },
});
const seconds = Number(flags.seconds);
const dataDir = mkdtempSync(join(tmpdir(), "commonplace-desk-"));
let site: KillableSite | null = null;
try {
  site = await makeSite(dataDir);
  await site.kill();
  importItems(dataDir, flags.lines ?? madeUpLines(dataDir, Number(flags.items)));
  await site.start();
  const waited = await untilBuilt(site);
  const { paths, texts, names } = await samplesOf(site);
  await pageTimes(site, paths, 3);
  const measured: Measured = { idle: [], busy: [], searches: [], picks: [], failures: [] };
  const asked = { origin: site.origin, key: site.key, editors: EDITORS, texts, names };
  for (let round = 0; round < ROUNDS; round++) {
    measured.idle.push(...(await pageTimes(site, paths, seconds / ROUNDS)));
    const [busy, editors] = await Promise.all([
      pageTimes(site, paths, seconds / ROUNDS),
      edit({ ...asked, seconds: seconds / ROUNDS }),
    ]);
    measured.busy.push(...busy);
    measured.searches.push(...editors.searches);
    measured.picks.push(...editors.picks);
    measured.failures.push(...editors.failures);
  }
  process.exitCode = announce(verdictsOf(measured, waited));
} finally {
  await site?.kill();
  rmSync(dataDir, { recursive: true, force: true });
}

function importItems(folder: string, file: string): void {
  const env = { ...process.env, DATA_DIR: folder, LOG_LEVEL: "error" };
  const words = ["src/main.ts", "import", file];
  execFileSync(process.execPath, words, { env, stdio: ["ignore", "ignore", "inherit"] });
}

/** Seconds until the index answers and has every item. */
async function untilBuilt(at: KillableSite): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < BUILT_WITHIN_MILLISECONDS) {
    const { status, body } = await askApi(at, "GET", "/content/names?q=a");
    if (status === 200 && body.isCurrent === true) return (performance.now() - start) / 1000;
    await pause(1000);
  }
  throw new Error("The index of the desk was not built");
}

async function samplesOf(
  at: KillableSite,
): Promise<{ paths: string[]; texts: string[]; names: string[] }> {
  const listed = async (query: string) =>
    (await askApi(at, "GET", `/content?limit=100&status=published&${query}`)).body.items;
  const quotations = await listed("type=quotation&sort=updated");
  const topics = await listed("type=topic&sort=title");
  const texts: string[] = [];
  for (const { id } of quotations.slice(0, 60)) {
    const words = (await askApi(at, "GET", `/content/${id}`)).body.body.split(/\s+/);
    texts.push(words.slice(2, 4).join(" "), words.slice(5, 8).join(" "));
  }
  const paths = [...quotations, ...topics].slice(0, PAGES).map(({ path }) => path);
  return { paths, texts, names: topics.map(({ title }: { title: string }) => title) };
}

/** Requests pages one after the other on one connection. */
async function pageTimes(
  at: KillableSite,
  paths: readonly string[],
  forSeconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await readPage(`${at.origin}${encodeURI(paths[times.length % paths.length] ?? "/")}`, agent);
    times.push(performance.now() - start);
    await pause(PAGE_PAUSE_MILLISECONDS);
  }
  agent.destroy();
  return times;
}

async function readPage(url: string, agent: Agent): Promise<void> {
  const request = get(url, { agent, headers: { accept: "text/html", "accept-encoding": "gzip" } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
  });
  for await (const _piece of response);
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`);
}

async function edit(workerData: EditorsData): Promise<EditorsTimes> {
  const thread = new Worker(new URL("./desk/editors.ts", import.meta.url), { workerData });
  return await new Promise((resolve, reject) => {
    thread.on("message", resolve).on("error", reject);
  });
}

function verdictsOf(
  { idle, busy, searches, picks, failures }: Measured,
  waited: number,
): Verdict[] {
  const [before, during] = [at(idle, 0.99), at(busy, 0.99)];
  const [search, pick] = [at(searches, 0.95), at(picks, 0.95)];
  const ratio = during / before;
  return [
    {
      what: "pages while editors search",
      isOfTime: true,
      passed: ratio <= BARS.pageRatio,
      detail: `p99 ${rounded(during)} ms, idle ${rounded(before)} ms: ${rounded(ratio)} times; ${busy.length} and ${idle.length} pages`,
    },
    {
      what: "completing names",
      isOfTime: true,
      passed: pick <= BARS.pick,
      detail: `p95 ${rounded(pick)} ms of ${picks.length}, p50 ${rounded(at(picks, 0.5))} ms`,
    },
    {
      what: "searching",
      isOfTime: true,
      passed: search <= BARS.search,
      detail: `p95 ${rounded(search)} ms of ${searches.length}, p50 ${rounded(at(searches, 0.5))} ms`,
    },
    {
      what: "answers",
      passed: failures.length === 0,
      detail: `${failures.length} failed (${[...new Set(failures)].join(", ")}); the index was ready ${rounded(waited)} s after the server`,
    },
  ];
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(share * times.length)] ?? Number.NaN;
}

function rounded(value: number): string {
  return value.toFixed(1);
}
