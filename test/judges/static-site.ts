import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  buildRemovalPatterns,
  type ExportedTextFormat,
  removeServerFeatures,
} from "../../src/static/removals.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { launch } from "./admin/browser.ts";
import { startDemoServer } from "./demo-server.ts";
import { makeCorpusSite } from "./static/corpus-site.ts";
import { judgeSearch } from "./static/search-judge.ts";
import { serveCopy, WEB_SERVERS, type WebServer } from "./static/web-servers.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Compares a static copy, behind nginx and Caddy, with what the server answers, and searches in one with a
 * search page:
 * `npm run judge:static -- [--corpus FOLDER] [--only nginx | caddy] [DATA_DIR]`. `--corpus`: quotations, topics
 * and works to judge instead of the demo. A data folder that already has the demo's preview pictures saves
 * minutes.
 */
const AT_ONCE = 8;
const REFUSALS_MAX = 3;
const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";
/** Links on the site's origin in documents. The second alternative is an HTML attribute. */
const LINKS = /\]\(([^()\s]+)\)|(?<![\w-])(?:href|src|action)="([^"]+)"|<loc>([^<]+)<\/loc>/g;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { corpus: { type: "string" }, only: { type: "string" } },
});
const { corpus, only } = values;
const work = mkdtempSync(join(tmpdir(), "commonplace-static-"));
chmodSync(work, 0o755);
const [dataDir = join(work, "data")] = positionals;
if (corpus !== undefined) makeCorpusSite(corpus, dataDir);
const server = await startDemoServer(undefined, {
  DATA_DIR: dataDir,
  DEMO: corpus === undefined ? "1" : "0",
});
const browser = await launch();
try {
  await addFormerAddresses();
  const verdicts: Verdict[] = [];
  for (const host of WEB_SERVERS) {
    if (only !== undefined && only !== host) continue;
    verdicts.push(...(await judge(host)), ...(await judgeWithSearch(host)));
  }
  process.exitCode = announce(verdicts);
} finally {
  await browser.close();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}

async function addFormerAddresses(): Promise<void> {
  const file = join(work, "withdrawn.jsonl");
  for (const status of ["published", "archived"]) {
    const item = { type: "topic", path: "/topics/withdrawn", title: "Withdrawn", status };
    writeFileSync(file, `${JSON.stringify(item)}\n`);
    await server.commonplace("import", file);
  }
  const list = join(work, "redirects.csv");
  writeFileSync(list, "from,to\n/old/place.html,/topics\n/blog/*,/topics/:splat\n/?p=12,/works\n");
  await server.commonplace("import", list);
}

async function judge(host: WebServer): Promise<Verdict[]> {
  const folder = join(work, host);
  await server.commonplace("export", "--static", folder, "--for", host);
  const again = await server.commonplace("export", "--static", folder, "--for", host, "--json");
  using served = await serveCopy(host, { folder, siteOrigin: server.origin, work });
  const compared = await compareAll(folder, served.origin);
  const named = (verdict: Verdict) => ({ ...verdict, what: `${host}: ${verdict.what}` });
  const compressed = await judgeCompression(served.origin);
  const former = await judgeFormer(served.origin);
  return [unchanged(again), ...compared, compressed, ...former].map(named);
}

async function judgeWithSearch(host: WebServer): Promise<Verdict[]> {
  const folder = join(work, `${host}-search`);
  await server.commonplace("export", "--search", folder, "--for", host);
  using served = await serveCopy(host, { folder, siteOrigin: server.origin, work });
  const store = join(dataDir, "commonplace.db");
  const verdicts = await judgeSearch(served.origin, { browser, store });
  return verdicts.map((verdict) => ({ ...verdict, what: `${host}: ${verdict.what}` }));
}

async function judgeCompression(origin: string): Promise<Verdict> {
  const encodings = await Promise.all(
    ["/", "/index.md", "/llms.txt"].map(async (path) => {
      const { headers } = await fetch(origin + path);
      return `${path} ${headers.get("content-encoding")}`;
    }),
  );
  const passed = encodings.every((line) => / (?:gzip|zstd)$/.test(line));
  return { what: "pages and llms.txt are compressed", passed, detail: encodings.join(", ") };
}

function unchanged(report: string): Verdict {
  const { files, changed, removed } = JSON.parse(report);
  const what = "a second export writes nothing";
  return { what, passed: changed + removed === 0, detail: `${changed} of ${files} files` };
}

async function compareAll(folder: string, origin: string): Promise<Verdict[]> {
  const { files } = JSON.parse(readFileSync(join(folder, "written.json"), "utf8"));
  const names = Object.keys(files)
    .filter((name) => /^public\/(?!404\.html|\.gone\/)/.test(name))
    .map((name) => name.slice("public/".length));
  using reading = openReadingCopy({ file: join(dataDir, "commonplace.db") });
  const site = buildRemovalPatterns(reading, { origin: server.origin, hasSearch: false });
  const counts = { same: 0, removed: 0, mains: 0, sameMains: 0 };
  const wrong: string[] = [];
  const links = new Map<string, string>();
  await each(names, async (name) => {
    const address = addressOf(name);
    const [served, file] = await Promise.all([
      get(server.origin + encodeURI(address)),
      get(origin + encodeURI(address)),
    ]);
    wrong.push(...headFaults(address, { served, file }));
    const formats = formatsOf(name);
    const expected = formats.reduce(
      (text, format) => removeServerFeatures(text, format, site),
      served.text,
    );
    if (file.text === served.text) counts.same += 1;
    else if (file.text === expected) counts.removed += 1;
    else wrong.push(`${address} has other bytes`);
    if (name.endsWith(".html")) {
      counts.mains += 1;
      if (mainOf(file.text) === mainOf(served.text)) counts.sameMains += 1;
    }
    if (/\.(?:html|md|txt|xml)$/.test(name)) {
      for (const link of linksIn(file.text, address)) links.set(link, address);
    }
  });
  const dead: string[] = [];
  await each([...links.keys()], async (link) => {
    const { status } = await get(origin + link);
    if (status !== 200) dead.push(`${link} on ${links.get(link)} answers ${status}`);
  });
  const { same, removed, mains, sameMains } = counts;
  return [
    {
      what: "every file has the bytes of the server but for the listed removals",
      passed: wrong.length === 0,
      detail: `${same} equal, ${removed} with removals only; ${wrong.length} wrong: ${wrong.slice(0, 8).join("; ")}`,
    },
    {
      what: "main content without any removal",
      passed: sameMains > 0,
      detail: `${sameMains} of ${mains}`,
    },
    {
      what: "no link is dead",
      passed: dead.length === 0,
      detail: `${links.size} addresses; ${dead.length} dead: ${dead.slice(0, 8).join("; ")}`,
    },
  ];
}

function headFaults(
  address: string,
  { served, file }: Record<"served" | "file", { status: number; type: string }>,
): string[] {
  return [
    ...(served.status === 200 ? [] : [`the server answers ${address} by ${served.status}`]),
    ...(file.status === 200 ? [] : [`${address} answers ${file.status}`]),
    ...(file.type === served.type ? [] : [`${address} is ${file.type}, not ${served.type}`]),
  ];
}

async function judgeFormer(origin: string): Promise<Verdict[]> {
  const asked: [path: string, status: number, location: string][] = [
    ["/old/place.html", 308, "/topics"],
    ["/old/place.html.md", 308, "/topics.md"],
    ["/blog/time", 308, "/topics/time"],
    ["/?p=12", 308, "/works"],
    ["/topics/withdrawn", 410, ""],
    ["/topics/", 308, "/topics"],
    ["/no-such-page", 404, ""],
    ["/.gone/topics/withdrawn.html", 404, ""],
    ["/blog//example.com", 308, "/topics/example.com"],
    ["//example.com/", 404, ""],
  ];
  return await Promise.all(
    asked.map(async ([path, status, location]) => {
      const found = await get(origin + path);
      const to = found.location.replace(origin, "");
      const isRight =
        path.includes("//") === true
          ? !/^(?:https?:)?\/[/\\]/.test(to)
          : found.status === status && to === location;
      return {
        what: `${path} answers ${status}`,
        passed: isRight,
        detail: `${found.status} ${to}`,
      };
    }),
  );
}

function addressOf(name: string): string {
  if (name === "index.html") return "/";
  const paged = /^(.*)\/page-(\d+)\.(html|md)$/.exec(name);
  if (paged !== null) return `/${paged[1]}${paged[3] === "md" ? ".md" : ""}?page=${paged[2]}`;
  return `/${name.replace(/\.html$/, "")}`;
}

function formatsOf(name: string): ExportedTextFormat[] {
  if (name.endsWith(".html")) return ["html"];
  if (name.endsWith(".md")) return ["markdown"];
  return name.includes("llms") ? ["markdown", "llms"] : [];
}

function mainOf(text: string): string {
  return /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? "";
}

function linksIn(text: string, address: string): string[] {
  const base = new URL(address, server.origin);
  return [...text.matchAll(LINKS)].flatMap(([, markdown, attribute, location]) => {
    const url = URL.parse((markdown ?? attribute ?? location ?? "").replaceAll("&amp;", "&"), base);
    return url?.origin === server.origin ? [url.pathname + url.search] : [];
  });
}

async function get(url: string) {
  const answer = await fetchUnrefused(url);
  const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  const type = (answer.headers.get("content-type") ?? "").toLowerCase();
  const location = answer.headers.get("location") ?? "";
  return { status: answer.status, text: Buffer.from(text, "latin1").toString(), type, location };
}

/** Repeats a request that a busy server refused, after the time that the server names. */
async function fetchUnrefused(url: string): Promise<Response> {
  for (let left = REFUSALS_MAX; ; left -= 1) {
    const answer = await fetch(url, { redirect: "manual", headers: { accept: BROWSER } });
    const seconds = Number(answer.headers.get("retry-after"));
    if (answer.status !== 503 || left === 0) return answer;
    console.error(`Refused for ${seconds} s: ${url}`);
    await sleep(seconds * 1000);
  }
}

async function each<T>(list: readonly T[], work: (entry: T) => Promise<void>): Promise<void> {
  const queue = list.values();
  const worker = async () => {
    for (const entry of queue) await work(entry);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
