import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** How many connections ask unless a case says otherwise. */
const CLIENTS = 16;
const NUMBER = "{n}";
/** More than a load can use up, so that the next does not ask for the same. */
const NUMBERS_A_MILLISECOND = 1000;

export interface LoadRequest {
  method: "GET" | "POST" | "PATCH";
  /** Here and in the body `{n}` is another number each time, so that nothing is asked twice. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface LoadFigures {
  requests: number;
  perSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  /** Answers other than 2xx and 3xx, and broken connections. */
  failures: number;
}

/** Sends requests in turn, over and over, from so many connections of wrk. */
export async function sendLoad({
  origin,
  requests,
  seconds,
  clients = CLIENTS,
}: {
  origin: string;
  requests: readonly LoadRequest[];
  seconds: number;
  clients?: number;
}): Promise<LoadFigures> {
  const script = join(mkdtempSync(join(tmpdir(), "load-")), "load.lua");
  writeFileSync(script, scriptOf(requests));
  const words = ["-t1", `-c${clients}`, `-d${seconds}`, "-s", script, origin];
  const { stdout } = await promisify(execFile)("wrk", words);
  const figures: LoadFigures = JSON.parse(/^FIGURES (.*)$/m.exec(stdout)?.[1] ?? "null");
  return figures;
}

function scriptOf(requests: readonly LoadRequest[]): string {
  const isNumbered = requests.some(({ target, body }) => `${target}${body}`.includes(NUMBER));
  return `
local formats = {
${requests.map(formatCall).join(",\n")}
}
local requests = {}
local turn = 0
local number = ${(Date.now() % 1e9) * NUMBERS_A_MILLISECOND}
function init()
  for i, format in ipairs(formats) do requests[i] = format("0") end
end
function request()
  turn = turn % #requests + 1
  if not ${isNumbered} then return requests[turn] end
  number = number + 1
  return formats[turn](tostring(number))
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('FIGURES {"requests":%d,"perSecond":%.1f,"p50Milliseconds":%.3f,"p99Milliseconds":%.3f,"failures":%d}\\n',
    summary.requests, summary.requests / summary.duration * 1000000,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}

function formatCall({ method, target, headers, body }: LoadRequest): string {
  const pairs = Object.entries(headers).map(([name, value]) => `["${name}"] = ${lua(value)}`);
  const content = body === undefined ? "nil" : lua(body);
  return `function(n) return wrk.format("${method}", ${lua(target)}, { ${pairs.join(", ")} }, ${content}) end`;
}

function lua(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll(NUMBER, '" .. n .. "')}"`;
}
