import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { readPage, startBarePages } from "./desk/bare-pages.ts";
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

/** Times of pages in milliseconds: of the site, and of bare node:http in the same moments. */
interface PageTimes {
  site: number[];
  bare: number[];
}

interface Measured extends EditorsTimes {
  idle: PageTimes;
  busy: PageTimes;
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
let bare: Awaited<ReturnType<typeof startBarePages>> | null = null;
try {
  site = await makeSite(dataDir);
  await site.kill();
  importItems(dataDir, flags.lines ?? madeUpLines(dataDir, Number(flags.items)));
  await site.start();
  const waited = await untilBuilt(site);
  const { paths, texts, names } = await samplesOf(site);
  bare = await startBarePages(site.origin, paths, dataDir);
  const origins = { site: site.origin, bare: bare.origin };
  await pageTimes(origins, paths, 3);
  const measured: Measured = {
    idle: { site: [], bare: [] },
    busy: { site: [], bare: [] },
    ...{ searches: [], picks: [], failures: [] },
  };
  const asked = { origin: site.origin, key: site.key, editors: EDITORS, texts, names };
  for (let round = 0; round < ROUNDS; round++) {
    addTimes(measured.idle, await pageTimes(origins, paths, seconds / ROUNDS));
    const [busy, editors] = await Promise.all([
      pageTimes(origins, paths, seconds / ROUNDS),
      edit({ ...asked, seconds: seconds / ROUNDS }),
    ]);
    addTimes(measured.busy, busy);
    measured.searches.push(...editors.searches);
    measured.picks.push(...editors.picks);
    measured.failures.push(...editors.failures);
  }
  process.exitCode = announce(verdictsOf(measured, waited));
} finally {
  bare?.process.kill();
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
  const paths = [...quotations, ...topics].slice(0, PAGES).map(({ path }) => encodeURI(path));
  return { paths, texts, names: topics.map(({ title }: { title: string }) => title) };
}

/** Requests pages of both in turn, each on one connection. */
async function pageTimes(
  origins: Readonly<Record<keyof PageTimes, string>>,
  paths: readonly string[],
  forSeconds: number,
): Promise<PageTimes> {
  using agents = new DisposableStack();
  const agentOf = () =>
    agents.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (agent) => agent.destroy());
  const readers = { site: agentOf(), bare: agentOf() };
  const times: PageTimes = { site: [], bare: [] };
  const end = performance.now() + forSeconds * 1000;
  while (performance.now() < end) {
    const path = paths[times.site.length % paths.length] ?? "/";
    for (const target of ["site", "bare"] as const) {
      const start = performance.now();
      await readPage(`${origins[target]}${path}`, readers[target]);
      times[target].push(performance.now() - start);
      await pause(PAGE_PAUSE_MILLISECONDS);
    }
  }
  return times;
}

function addTimes(to: PageTimes, { site, bare }: PageTimes): void {
  to.site.push(...site);
  to.bare.push(...bare);
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
  const [before, during] = [at(idle.site, 0.99), at(busy.site, 0.99)];
  const [bareBefore, bareDuring] = [at(idle.bare, 0.99), at(busy.bare, 0.99)];
  const [search, pick] = [at(searches, 0.95), at(picks, 0.95)];
  const ratio = during / before;
  return [
    {
      what: "pages while editors search",
      isOfTime: true,
      passed: ratio <= BARS.pageRatio,
      detail: `p99 ${rounded(during)} ms, idle ${rounded(before)} ms: ${rounded(ratio)} times; ${busy.site.length} and ${idle.site.length} pages; bare node:http in the same moments ${rounded(bareDuring)} ms, idle ${rounded(bareBefore)} ms: ${rounded(bareDuring / bareBefore)} times`,
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
