import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { toolCall } from "../test/judges/scale/asking.ts";
import { freePort } from "../test/support/free-port.ts";
import { AGENT, API_SCRIPT, CHROME, CLAUDE_CODE } from "./load/clients.ts";
import { median } from "./load/comparing.ts";
import { describeMachine } from "./load/machine.ts";
import { MeasuredProcess } from "./load/process.ts";
import { type LoadRequest, sendLoad } from "./load/wrk.ts";

/**
 * Compares the CPU time of requests with that of an earlier checkout: `npm run bench:pairs -- OTHER_CHECKOUT`,
 * installed with `npm ci`. Needs wrk. Both serve their demo and are loaded in turn, ten times each, because the
 * speed of a machine varies; the median of the ten ratios counts.
 */
const PAIRS = 10;
const SECONDS = 2;
/** Few, since a server that has more searches of one address than it can answer refuses some. */
const CLIENTS = 4;
const RATIO_MAX = 1.1;
/** The most that a key can have, which is why tools are called with several. */
const RATE_PER_MINUTE = 100_000;
const AGENT_KEYS = 10;
const WORDS = "time life death courage virtue wisdom soul friend anger fortune money nature".split(
  " ",
);
const [other] = process.argv.slice(2);
if (other === undefined) throw new Error("Usage: npm run bench:pairs -- OTHER_CHECKOUT");

interface Side extends AsyncDisposable {
  process: MeasuredProcess;
  origin: string;
  agentKeys: string[];
  editorKey: string;
}

interface Case {
  what: string;
  requests(side: Side): LoadRequest[];
}

const CASES: Case[] = [
  { what: "a kept topic as HTML", requests: () => [get("/topics/time", CHROME)] },
  { what: "the kept home page as Markdown", requests: () => [get("/", AGENT)] },
  { what: "searches", requests: () => pairsOf(WORDS).map((q) => get(`/search?q=${q}`, CHROME)) },
  {
    what: "tool calls for the pages of a topic",
    requests: ({ agentKeys }) => agentKeys.map((key, at) => pageCall(key, at + 1)),
  },
  {
    what: "a list of the API",
    requests: ({ editorKey }) => [get("/api/v1/content?type=topic&limit=20", script(editorKey))],
  },
  {
    what: "new published topics",
    requests: ({ editorKey }) => {
      const body = JSON.stringify({ type: "topic", title: "Topic {n}", status: "published" });
      const headers = { ...script(editorKey), "content-type": "application/json" };
      return [{ method: "POST", target: "/api/v1/content", headers, body }];
    },
  },
];

await using earlier = await start(resolve(other));
await using now = await start(process.cwd());
const rows = [];
for (const { what, requests } of CASES) {
  const ratios: number[] = [];
  const times: { earlier: number; now: number }[] = [];
  await microsecondsOf(earlier, requests(earlier));
  await microsecondsOf(now, requests(now));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const before = await microsecondsOf(earlier, requests(earlier));
    const after = await microsecondsOf(now, requests(now));
    ratios.push(after / before);
    times.push({ earlier: before, now: after });
  }
  rows.push({
    what,
    "earlier, CPU µs": Math.round(median(times.map((each) => each.earlier))),
    "now, CPU µs": Math.round(median(times.map((each) => each.now))),
    ratio: median(ratios).toFixed(2),
    lowest: Math.min(...ratios).toFixed(2),
    highest: Math.max(...ratios).toFixed(2),
    isWithin: median(ratios) <= RATIO_MAX,
  });
}
console.table(rows);
console.log(JSON.stringify(describeMachine()));
process.exitCode = rows.every(({ isWithin }) => isWithin) ? 0 : 1;

async function start(checkout: string): Promise<Side> {
  const stack = new AsyncDisposableStack();
  const dataDir = stack.adopt(mkdtempSync(join(tmpdir(), "bench-pairs-")), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const port = await freePort();
  const environment = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" };
  const program = join(checkout, "src", "main.ts");
  const server = stack.use(
    await MeasuredProcess.start(process.execPath, [program, "serve"], {
      environment,
      ready: /Issue a key/,
    }),
  );
  const issue = async (...scopes: string[]) => {
    const words = ["keys", "issue", "--name", "bench", "--rate", String(RATE_PER_MINUTE), "--json"];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, ...words, ...scopes.flatMap((scope) => ["--scope", scope])],
      { env: { ...process.env, ...environment } },
    );
    const { key } = JSON.parse(stdout);
    return String(key);
  };
  return {
    process: server,
    origin: `http://127.0.0.1:${port}`,
    agentKeys: await Promise.all(Array.from({ length: AGENT_KEYS }, () => issue("mcp:read"))),
    editorKey: await issue("content:read", "content:write", "content:publish"),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function microsecondsOf(
  { process: server, origin }: Side,
  requests: readonly LoadRequest[],
): Promise<number> {
  const before = server.cpuSeconds();
  const { requests: count, failures } = await sendLoad({
    origin,
    requests,
    seconds: SECONDS,
    clients: CLIENTS,
  });
  if (failures > 0)
    throw new Error(
      `${failures} of the requests to ${origin} failed, such as ${requests[0]?.target}`,
    );
  return ((server.cpuSeconds() - before) / count) * 1e6;
}

function get(target: string, headers: LoadRequest["headers"]): LoadRequest {
  return { method: "GET", target, headers };
}

function pageCall(key: string, page: number): LoadRequest {
  const call = toolCall(key, "get_content_by_url", { url: `/topics/time?page=${page}` });
  return {
    method: "POST",
    target: call.path,
    headers: { ...CLAUDE_CODE, ...keyed(key) },
    body: JSON.stringify(call.body),
  };
}

function script(key: string): LoadRequest["headers"] {
  return { ...API_SCRIPT, ...keyed(key) };
}

function keyed(key: string): LoadRequest["headers"] {
  return { authorization: `Bearer ${key}` };
}

function pairsOf(words: readonly string[]): string[] {
  return words.flatMap((one) => words.map((two) => `${one}+${two}`));
}
