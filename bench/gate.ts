import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { issueKey } from "../src/access/keys.ts";
import { openRecord } from "../src/storage/record/open.ts";
import { type Case, mcpCases, readingCases } from "./load/cases.ts";
import { MeasuredProcess } from "./load/process.ts";
import type { LoadRequest } from "./load/wrk.ts";

/**
 * Has any main path become dearer? Counts the instructions the server takes for a fixed number of
 * requests, which hardly depends on what else the machine does, beside those in
 * `bench/results/instructions.json`: `npm run bench:gate`, and with `-- --record` to keep new ones.
 * Exit code 1 when a path takes over 3 % more. Where perf cannot count, it says so and judges nothing.
 */
const PORT = 18_510;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const FIGURES = new URL("./results/instructions.json", import.meta.url);
const PATHS = [
  "page, HTML",
  "page, 304",
  "page made anew, HTML",
  "tools/list",
  "get_content_by_url",
  "get_content_by_url, a topic, first",
  "list_quotations_by_topic, first",
];
const WARMING_REQUESTS = 3000;
const REQUESTS = 2000;
const GROWTH_MAX = 0.03;
const ATTACH_MILLISECONDS = 500;

const fault = perfFault();
if (fault === null) process.exitCode = await judge();
else console.log(`The gate did not run, and judged nothing: ${fault}`);

/** Why perf cannot count instructions here; null: it can. */
function perfFault(): string | null {
  const file = join(mkdtempSync(join(tmpdir(), "perf-")), "out");
  try {
    execFileSync("perf", ["stat", "-x,", "-o", file, "-e", "instructions:u", "true"]);
  } catch {
    return "perf is not here, or may not be used";
  }
  return countIn(file) === null ? "perf counts no instructions on this machine" : null;
}

function countIn(file: string): number | null {
  const line = readFileSync(file, "utf8")
    .split("\n")
    .find((each) => each.includes("instructions"));
  const count = Number(line?.split(",")[0]);
  return Number.isInteger(count) && count > 0 ? count : null;
}

async function judge(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "commonplace-gate-"));
  const environment = { DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: "warn" };
  const words = ["bin/commonplace.cjs", "serve"];
  const serve = { environment, ready: /Issue a key/ };
  await using server = await MeasuredProcess.start(process.execPath, words, serve);
  const cases = [...readingCases(), ...mcpCases([await issuedKey(dataDir)])];
  const figures: Record<string, number> = {};
  for (const name of PATHS) {
    const found = cases.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no case ${name}`);
    await send(found, WARMING_REQUESTS);
    figures[name] = await instructions(server.pid, () => send(found, REQUESTS));
  }
  if (process.argv.includes("--record") || !existsSync(FIGURES)) {
    writeFileSync(FIGURES, `${JSON.stringify({ [process.arch]: figures }, null, 2)}\n`);
    console.log("Kept as the figures to hold to");
    return 0;
  }
  const known: Record<string, Record<string, number>> = JSON.parse(readFileSync(FIGURES, "utf8"));
  const rows = PATHS.map((name) => {
    const [now = 0, before = 0] = [figures[name], known[process.arch]?.[name]];
    return { path: name, before, now, growth: before === 0 ? 0 : now / before - 1 };
  });
  console.table(rows);
  return rows.some(({ growth }) => growth > GROWTH_MAX) ? 1 : 0;
}

async function instructions(pid: number, work: () => Promise<void>): Promise<number> {
  const file = join(mkdtempSync(join(tmpdir(), "perf-")), "out");
  const words = ["stat", "-x,", "-o", file, "-e", "instructions:u", "-p", String(pid)];
  const perf = spawn("perf", words, { stdio: "ignore" });
  await sleep(ATTACH_MILLISECONDS);
  await work();
  perf.kill("SIGINT");
  await once(perf, "exit");
  return Math.round((countIn(file) ?? Number.NaN) / REQUESTS);
}

async function send({ requests }: Case, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [request] = requests;
  if (request === undefined) return;
  for (let number = 0; number < count; number += 1) await sendOne(request, agent, number);
  agent.destroy();
}

async function sendOne(request: LoadRequest, agent: Agent, number: number): Promise<void> {
  const { method, target, headers, body } = request;
  const asked = (text: string) => text.replaceAll("{n}", String(number));
  await new Promise<void>((resolve, reject) => {
    httpRequest(ORIGIN + asked(target), { method, headers, agent }, (answer) => {
      answer.resume().on("end", resolve);
    })
      .on("error", reject)
      .end(body === undefined ? undefined : asked(body));
  });
}

async function issuedKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "commonplace.db");
  await using record = await openRecord({ file, origin: ORIGIN, otherOrigin: "keep" });
  const input = { name: "Gate", scopes: ["mcp:read"] as const, ratePerMinute: 100_000 };
  return (await issueKey(record.keys, { kind: "operator" }, input, new Date())).key;
}
