import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dice } from "../support/dice.ts";
import {
  HOSTS,
  HostileSite,
  INNER_IPS,
  MISLEADING_PORT,
  ORIGIN,
  PUBLIC_IP,
  REDIRECTING_PORT,
  SLOW_PORT,
} from "./live-site/hostile-site.ts";
import { filesOf, runFetch } from "./live-site/run-fetch.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Copies a hostile site with `fetch`, and kills it: `npm run judge:live-site -- [--pages N] [--kills N] [--seed N]`.
 * Site and inner network are in a network namespace with a public address, so that the guard is judged as it is in
 * use, and no packet leaves the machine.
 */
const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "200" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: String(1 + (Date.now() % 100_000)) },
  },
});
const PAGES = Number(values.pages);
const KILLS = Number(values.kills);
/** A time limit of 60 seconds for each answer. */
const DRIP_SECONDS_MAX = 70;
const RESIDENT_MEGABYTES_MAX = 500;
const SECOND_RUN_SHARE_MAX = 0.05;
/** Of the calendar: the distance at which links are no longer followed, and some. */
const CALENDAR_PAGES_MAX = 110;
const NETWORK_VARIABLE = "JUDGE_IN_NETWORK";

if (process.env[NETWORK_VARIABLE] === undefined) process.exitCode = runInNetwork();
else process.exitCode = await judge();

/** Runs this script again in a network of its own. */
function runInNetwork(): number {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-network-"));
  const hosts = join(folder, "hosts");
  writeFileSync(hosts, HOSTS);
  const prepare = `ip link set lo up && ip address add ${PUBLIC_IP}/32 dev lo && ip address add ${INNER_IPS[1]}/32 dev lo && mount --bind ${hosts} /etc/hosts && exec "$@"`;
  try {
    const { status, error } = spawnSync(
      "unshare",
      ["-rnm", "sh", "-c", prepare, "sh", process.execPath, ...process.argv.slice(1)],
      { stdio: "inherit", env: { ...process.env, [NETWORK_VARIABLE]: "1" } },
    );
    if (error !== undefined) console.error(`unshare (util-linux): ${error.message}`);
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judge(): Promise<number> {
  console.log(`${PAGES} pages, ${KILLS} kills, seed ${values.seed}`);
  const folder = mkdtempSync(join(tmpdir(), "commonplace-live-site-"));
  const verdicts: Verdict[] = [];
  try {
    await using site = new HostileSite(PAGES);
    await site.open();
    await judgeObedience(site, folder, verdicts);
    await judgeTraps(site, folder, verdicts);
    await judgePace(site, folder, verdicts);
    site.isEndless = false;
    await judgeRepeats(site, folder, verdicts);
    await judgeKills(site, folder, verdicts);
    verdicts.push({
      what: "the inner network was never asked",
      passed: site.innerRequests.length === 0,
      detail: site.innerRequests.join(" ") || "no request",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return announce(verdicts);
}

async function judgeObedience(site: HostileSite, folder: string, verdicts: Verdict[]) {
  const result = await copy(folder, "hostile");
  const { requests } = site;
  const paths = requests.map(({ path }) => path);
  const report: { pages: number; failed: { url: string; reason: string }[]; isCut: boolean } =
    JSON.parse(result.out);
  const reasonOf = (path: string) =>
    report.failed.find(({ url }) => new URL(url).pathname === path)?.reason ?? "not reported";
  const forbidden = paths.filter((path) => path.startsWith("/private"));
  const calendar = paths.filter((path) => path.startsWith("/calendar"));
  const busy = requests.filter(({ path }) => path.startsWith("/busy/"));
  const waits = [...new Set(busy.map(({ path }) => path))].map((path) => {
    const [first, second] = busy.filter((request) => request.path === path);
    return (second?.atMilliseconds ?? 0) - (first?.atMilliseconds ?? 0);
  });
  const others = new Set(
    requests.map(({ host }) => host).filter((host) => host !== "society.example"),
  );
  verdicts.push(
    is("robots.txt is asked for first", paths[0] === "/robots.txt", paths[0] ?? "nothing"),
    is("what robots.txt forbids is not", forbidden.length === 0, `${forbidden.length} requests`),
    is("every page and the busy ones are copied", report.pages >= PAGES, `${report.pages} pages`),
    is(
      "Retry-After is waited for",
      waits.every((wait) => wait >= 1000),
      `${waits.map(Math.round)} ms`,
    ),
    is(
      "the calendar ends",
      calendar.length <= CALENDAR_PAGES_MAX && report.isCut,
      `${calendar.length} of its pages`,
    ),
    is("a calendar cut off makes exit code 1", result.code === 1, `exit code ${result.code}`),
    is("a circle is reported", /circle/.test(reasonOf("/loop/a")), reasonOf("/loop/a")),
    is("the tar pit is left", /longer than 60 seconds/.test(reasonOf("/drip")), reasonOf("/drip")),
    is(
      "an endless file is left",
      /longer than 64 MiB/.test(reasonOf("/flood")),
      reasonOf("/flood"),
    ),
    is(
      "one name of the site is asked",
      others.size === 0,
      [...others].join(" ") || "society.example",
    ),
    {
      ...is(
        "it ends soon",
        result.seconds <= DRIP_SECONDS_MAX + PAGES / 5,
        `${result.seconds.toFixed(1)} s`,
      ),
      isOfTime: true,
    },
    is(
      "memory is bounded",
      result.residentMegabytes <= RESIDENT_MEGABYTES_MAX,
      `${Math.round(result.residentMegabytes)} MiB`,
    ),
  );
}

/** Each way in is refused, and the inner network could have been reached. */
async function judgeTraps(site: HostileSite, folder: string, verdicts: Verdict[]) {
  const starts = [
    ...INNER_IPS.map((address) => `http://${address}/`),
    ...["http://inner.example/", "http://metadata.example/", "http://localhost/"],
    `${ORIGIN}:${REDIRECTING_PORT}/`,
    `${ORIGIN}:${MISLEADING_PORT}/`,
  ];
  for (const start of starts) {
    const { code, err } = await copy(folder, "trap", start);
    const isRefused = code === 2 && /private network/.test(err);
    verdicts.push(is(`${start} is refused`, isRefused, err.trim() || `exit code ${code}`));
  }
  const before = site.innerRequests.length;
  await fetch("http://inner.example/reachable");
  await fetch("http://metadata.example/reachable");
  const reached = site.innerRequests.splice(before).length;
  verdicts.push(is("the inner network is there", reached === 2, `${reached} of 2 answer`));
}

async function judgePace(site: HostileSite, folder: string, verdicts: Verdict[]) {
  const gaps = async (start: string, name: string, words: readonly string[]) => {
    const before = site.requests.length;
    await runFetch([start, join(folder, name), ...words], join(folder, "data"));
    const times = site.requests.slice(before).map(({ atMilliseconds }) => atMilliseconds);
    return times.slice(1).map((time, at) => time - (times[at] ?? 0));
  };
  const asked = await gaps(`${ORIGIN}:${SLOW_PORT}/`, "delayed", []);
  const usual = await gaps(`${ORIGIN}/busy/0`, "usual", ["--addresses", "3"]);
  const least = (found: readonly number[]) => Math.round(Math.min(...found));
  verdicts.push(
    is(
      "Crawl-delay is kept",
      asked.length > 3 && least(asked) >= 1990,
      `at least ${least(asked)} ms`,
    ),
    is(
      "one request a second",
      usual.length > 1 && least(usual) >= 990,
      `at least ${least(usual)} ms`,
    ),
  );
}

async function judgeRepeats(site: HostileSite, folder: string, verdicts: Verdict[]) {
  const bytesOf = async () => {
    const before = site.bytesSent;
    await copy(folder, "whole");
    return site.bytesSent - before;
  };
  const [first, second] = [await bytesOf(), await bytesOf()];
  const share = second / first;
  verdicts.push(
    is(
      "a second run takes at most 5 % of the bytes",
      share <= SECOND_RUN_SHARE_MAX,
      `${(share * 100).toFixed(2)} % of ${Math.round(first / 1024)} KiB`,
    ),
  );
}

/** Kills a first copy, and a second one after the site changed; compares each with one that was left alone. */
async function judgeKills(site: HostileSite, folder: string, verdicts: Verdict[]) {
  const random = dice(Number(values.seed));
  for (const isLater of [false, true]) {
    site.isLater = isLater;
    if (isLater) await copy(folder, "whole");
    const before = site.requests.length;
    const kills = await copyKilled(site, folder, { random, kills: Math.ceil(KILLS / 2) });
    const requests = site.requests.slice(before).filter(({ path }) => path.startsWith("/page/"));
    const [whole, killed] = [filesOf(join(folder, "whole")), filesOf(join(folder, "killed"))];
    const different = [
      ...whole.filter((file) => !killed.includes(file)),
      ...killed.filter((file) => !whole.includes(file)),
    ];
    const copyName = isLater ? "the second copy" : "the first copy";
    const missing = isLater ? 0 : 1;
    verdicts.push(
      is(`${copyName} was killed`, kills === Math.ceil(KILLS / 2), `${kills} times`),
      is(
        `${copyName}, killed, is as one left alone`,
        different.length === 0 && whole.length > PAGES,
        different.slice(0, 5).join(", ") || `${whole.length} files are equal`,
      ),
      is(
        `${copyName} asks for no page more than once and once a kill`,
        requests.length <= PAGES + (1 + missing) * (kills + 1),
        `${requests.length} requests for ${PAGES} pages`,
      ),
    );
  }
}

/** Kills copies after random numbers of requests, at a random moment; the last one ends. @returns how many died. */
async function copyKilled(
  site: HostileSite,
  folder: string,
  { random, kills }: { random: (below: number) => number; kills: number },
): Promise<number> {
  let killed = 0;
  // Of the requests for pages and pictures, so many are made in each attempt.
  const requestsEach = Math.floor((2 * PAGES) / (kills + 1));
  for (let kill = 0; kill < kills; kill += 1) {
    let left = 5 + random(requestsEach);
    const delay = random(15);
    const { code } = await runFetch(wordsFor(folder, "killed"), join(folder, "data"), (child) => {
      site.onRequest = () => {
        left -= 1;
        if (left === 0) setTimeout(() => child.kill("SIGKILL"), delay);
      };
    });
    site.onRequest = () => {};
    if (code === null) killed += 1;
  }
  await copy(folder, "killed");
  return killed;
}

async function copy(folder: string, name: string, start = `${ORIGIN}/`) {
  return await runFetch(wordsFor(folder, name, start), join(folder, "data"));
}

function wordsFor(folder: string, name: string, start = `${ORIGIN}/`): string[] {
  return [start, join(folder, name), "--pause", "0", "--json"];
}

function is(what: string, passed: boolean, detail: string): Verdict {
  return { what, passed, detail };
}
