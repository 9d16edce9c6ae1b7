import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { freePort } from "../support/free-port.ts";
import { BEHAVIOURS, HostileWeb } from "./link-checker/hostile-web.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Runs the link checker of a server, which is killed in the middle, against hosts that lie, loop and delay:
 * `npm run prove:links -- [LINKS]`, by default 2000 links.
 */
const LINKS = Number(process.argv[2] ?? 2000);
const LINKS_PER_ITEM = 200;
const AT_ONCE_MAX = 8;
const RESIDENT_MEGABYTES_MAX = 500;
/** The server is killed once this share of the links was requested. */
const KILLED_AFTER = 0.2;
/** Longer than any check takes. */
const QUIET_SECONDS = 60;
/**
 * The most that clients may request of an endless page before they disconnect, including what is buffered in
 * sockets.
 */
const FLOOD_BYTES_MAX = 16 * 1024 * 1024;

const replySchema = z.object({
  counts: z.record(z.string(), z.int()),
  items: z.array(z.object({ url: z.string(), state: z.string(), fault: z.string().nullable() })),
  nextCursor: z.string().nullable(),
});
type Reply = z.infer<typeof replySchema>;

const folder = mkdtempSync(join(tmpdir(), "commonplace-link-checker-"));
const port = await freePort();
const environment = {
  ...process.env,
  ...{ DATA_DIR: join(folder, "data"), PORT: String(port), DEMO: "0", LOG_LEVEL: "warn" },
  ...{ PUBLIC_URL: "https://links.example", WEBHOOK_PRIVATE_NETWORKS: "1", DRAIN_SECONDS: "0" },
};
const verdicts: Verdict[] = [];
let residentMegabytesMax = 0;
let server: ChildProcess | null = null;
try {
  await using web = await HostileWeb.open();
  const links = web.links(LINKS);
  const key = makeSite(links);
  const begun = performance.now();
  const before = await untilKilled(web);
  server = await serve();
  const { counts } = await untilDone(web, key);
  const seconds = (performance.now() - begun) / 1000;
  judgeCompleteness(counts, seconds);
  judgeRepeats(web, before);
  judgePoliteness(web);
  judgeBounds(web);
  await judgeReport(links, key);
} finally {
  server?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = announce(verdicts);

/** @returns a key that may read the report. */
function makeSite(links: readonly string[]): string {
  const items: string[] = [];
  for (let at = 0; at < links.length; at += LINKS_PER_ITEM) {
    const body = links.slice(at, at + LINKS_PER_ITEM).map((url) => `<${url}>`);
    const item = { type: "topic", title: `Topic ${at}`, sourceKey: `topic:${at}` };
    items.push(`${JSON.stringify({ ...item, body: body.join("\n"), status: "published" })}\n`);
  }
  writeFileSync(join(folder, "content.jsonl"), items.join(""));
  commonplace("init");
  commonplace("import", join(folder, "content.jsonl"));
  const words = ["--name", "links", "--scope", "content:read", "--rate", "1000", "--json"];
  return JSON.parse(commonplace("keys", "issue", ...words)).key;
}

function commonplace(...words: string[]): string {
  const options = { env: environment, encoding: "utf8" } as const;
  return execFileSync(process.execPath, ["src/main.ts", ...words], options);
}

async function serve(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["bin/commonplace.cjs", "serve"], {
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    await sleep(200);
  }
  return child;
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok === true;
}

/** @returns how often each link had been requested by then. */
async function untilKilled(web: HostileWeb): Promise<ReadonlyMap<string, number>> {
  server = await serve();
  while (web.asked.size < LINKS * KILLED_AFTER) {
    measureMemory();
    await sleep(200);
  }
  server.kill("SIGKILL");
  await once(server, "exit");
  return new Map(web.asked);
}

/** Waits until no link is new, except for those that were requested at the time of the kill. */
async function untilDone(web: HostileWeb, key: string): Promise<Reply> {
  let requests = 0;
  let changedAt = performance.now();
  for (;;) {
    const report = await readReport(key, "new", null);
    measureMemory();
    if (report.counts["new"] === 0) return report;
    if (web.requests !== requests) changedAt = performance.now();
    if (performance.now() - changedAt > QUIET_SECONDS * 1000) return report;
    requests = web.requests;
    await sleep(2000);
  }
}

async function readReport(key: string, state: string, cursor: string | null): Promise<Reply> {
  const query = new URLSearchParams({
    state,
    limit: "100",
    ...(cursor === null ? {} : { cursor }),
  });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/links?${query}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (!answer.ok) throw new Error(`The report was answered ${answer.status}`);
  return replySchema.parse(await answer.json());
}

function measureMemory(): void {
  const status = readFileSync(`/proc/${server?.pid}/status`, "utf8");
  const megabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  residentMegabytesMax = Math.max(residentMegabytesMax, megabytes);
}

function judgeCompleteness(counts: Reply["counts"], seconds: number): void {
  const left = counts["new"] ?? 0;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  verdicts.push({
    what: "every link is checked, but those that were asked for at the kill",
    passed: left <= AT_ONCE_MAX,
    detail: `${all - left} of ${LINKS} in ${seconds.toFixed(0)} s, ${((all - left) / seconds).toFixed(0)} a second; ${left} due ten minutes after the kill`,
  });
}

function judgeRepeats(web: HostileWeb, before: ReadonlyMap<string, number>): void {
  const repeated = [...before].filter(([url, times]) => (web.asked.get(url) ?? 0) > times);
  verdicts.push({
    what: "goes on where it was killed",
    passed: repeated.length <= AT_ONCE_MAX,
    detail: `killed after ${before.size} links, of which ${repeated.length} were asked for again`,
  });
}

function judgePoliteness(web: HostileWeb): void {
  verdicts.push({
    what: "asks no host more than once a second",
    // Both processes may be delayed, so requests may arrive closer together than they were sent.
    passed: web.earlyMillisecondsMax < 1000,
    detail: `${web.requests} requests, at most ${web.earlyMillisecondsMax.toFixed(0)} ms early`,
  });
  verdicts.push({
    what: "leaves a host alone that asks for it",
    passed: web.disturbed === 0,
    detail: `${web.disturbed} requests too early`,
  });
}

function judgeBounds(web: HostileWeb): void {
  verdicts.push({
    what: `asks ${AT_ONCE_MAX} at a time at most`,
    passed: web.openMax <= AT_ONCE_MAX,
    detail: `${web.openMax} connections`,
  });
  verdicts.push({
    what: `takes ${RESIDENT_MEGABYTES_MAX} MB at most`,
    passed: residentMegabytesMax <= RESIDENT_MEGABYTES_MAX,
    detail: `${residentMegabytesMax.toFixed(0)} MB at its peak, with the whole server`,
  });
  verdicts.push({
    what: "hangs up on pages that never end",
    passed: web.longestAnswerBytes <= FLOOD_BYTES_MAX,
    detail: `after ${(web.longestAnswerBytes / 1e6).toFixed(1)} MB were sent`,
  });
}

async function judgeReport(links: readonly string[], key: string): Promise<void> {
  const found = new Map<string, Reply["items"][number]>();
  for (const state of ["good", "moved", "broken", "unsure", "new"]) {
    let cursor: string | null = null;
    do {
      const page: Reply = await readReport(key, state, cursor);
      for (const item of page.items) found.set(item.url, item);
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  const groups = Map.groupBy(links, (url) => new URL(url).pathname.split("/")[1] ?? "");
  for (const [name, urls] of groups) {
    const { state, fault } = BEHAVIOURS[name] ?? { state: "", fault: null };
    const wrong = urls.filter((url) => {
      const item = found.get(url);
      if (item?.state === "new") return false;
      return item?.state !== state || !(fault?.test(item.fault ?? "") ?? item.fault === null);
    });
    const [example = ""] = wrong;
    verdicts.push({
      what: `reports ${state}: ${name}`,
      passed: wrong.length === 0,
      detail:
        wrong.length === 0
          ? String(urls.length)
          : `${wrong.length} of ${urls.length} wrong, as ${JSON.stringify(found.get(example))}`,
    });
  }
}
