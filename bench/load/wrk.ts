import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The default number of connections. */
const CLIENTS = 16;
const NUMBER = "{n}";
/** Printed by the script each time half of the requests were sent. */
const HALF = "half";
/** More numbers than a load can use, so that the next load does not repeat requests. */
const NUMBERS_A_MILLISECOND = 1000;

export interface LoadRequest {
  method: "GET" | "POST" | "PATCH";
  /** Here and in the body, `{n}` is a different number each time, so that no request is repeated. */
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

export interface Load {
  origin: string;
  requests: readonly LoadRequest[];
  seconds: number;
  /** Number of concurrent connections. */
  clients?: number;
  /**
   * Makes the server discard its answers, twice in the time in which each request is sent once. Every request
   * is then a first view, however fast the server answers.
   */
  forget?: (() => void) | undefined;
}

/** Sends requests in turn, over and over, from this many connections of wrk. */
export async function sendLoad({
  origin,
  requests,
  seconds,
  clients = CLIENTS,
  forget,
}: Load): Promise<LoadFigures> {
  const script = join(mkdtempSync(join(tmpdir(), "load-")), "load.lua");
  writeFileSync(script, scriptOf(requests, { saysHalves: forget !== undefined }));
  const words = ["-t1", `-c${clients}`, `-d${seconds}`, "-s", script, origin];
  const wrk = spawn("wrk", words, { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  wrk.stderr.setEncoding("utf8").on("data", (piece: string) => {
    if (piece.includes(HALF)) forget?.();
    else errors += piece;
  });
  const [printed] = await Promise.all([text(wrk.stdout), once(wrk, "close")]);
  const found = /^FIGURES (.*)$/m.exec(printed)?.[1];
  if (found === undefined) throw new Error(`wrk printed no figures: ${printed}${errors}`);
  return JSON.parse(found);
}

function scriptOf(
  requests: readonly LoadRequest[],
  { saysHalves }: { saysHalves: boolean },
): string {
  const isNumbered = requests.some(({ target, body }) => `${target}${body}`.includes(NUMBER));
  const half = Math.max(1, Math.floor(requests.length / 2));
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
  if ${saysHalves} and turn % ${half} == 0 then io.stderr:write("${HALF}\\n") end
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
