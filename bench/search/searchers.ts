import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const WORDS =
  "time life death courage virtue wisdom soul friend anger fortune money nature reason god king " +
  "city war law knowledge happiness pleasure pain fear hope love hate truth youth age memory";
const PATIENCE_MILLISECONDS = 1000;

export interface SearchFigures {
  answered: number;
  refused: number;
  /** Answers other than 200 and 503, and broken connections. */
  failed: number;
}

/**
 * Searches for one to three words from this many connections of wrk, each after the previous answer. Patient
 * clients wait a second after a refusal.
 */
export async function searchWithoutPause(
  origin: string,
  options: { clients: number; seconds: number; isPatient: boolean },
): Promise<SearchFigures> {
  const { clients, seconds, isPatient } = options;
  const script = join(mkdtempSync(join(tmpdir(), "search-load-")), "searches.lua");
  writeFileSync(script, scriptOf(isPatient));
  const words = ["-t1", `-c${clients}`, `-d${seconds}`, "-s", script, origin];
  const { stdout } = await promisify(execFile)("wrk", words);
  const figures: SearchFigures = JSON.parse(/^FIGURES (.*)$/m.exec(stdout)?.[1] ?? "null");
  return figures;
}

function scriptOf(isPatient: boolean): string {
  const delay = `
function delay()
  if pauses == 0 then return 0 end
  pauses = pauses - 1
  return ${PATIENCE_MILLISECONDS}
end`;
  return `
answered, refused, failed, pauses = 0, 0, 0, 0
local thread
function setup(one) thread = one end
local words = {}
for word in string.gmatch("${WORDS}", "%a+") do words[#words + 1] = word end
local headers = { ["accept"] = "text/html" }
function request()
  local asked = {}
  for i = 1, math.random(3) do asked[i] = words[math.random(#words)] end
  return wrk.format("GET", "/search?q=" .. table.concat(asked, "+"), headers)
end
function response(status)
  if status == 200 then answered = answered + 1
  elseif status == 503 then refused = refused + 1; pauses = pauses + 1
  else failed = failed + 1 end
end
${isPatient ? delay : ""}
function done(summary)
  local errors = summary.errors
  io.write(string.format('FIGURES {"answered":%d,"refused":%d,"failed":%d}\\n',
    thread:get("answered"), thread:get("refused"),
    thread:get("failed") + errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}
