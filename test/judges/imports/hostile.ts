import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { openSiteLine } from "../../support/command-line.ts";
import type { Verdict } from "../verdict.ts";
import {
  COSTLY_FILES,
  HOSTILE_FILES,
  type HostileFile,
  writeHostileFile,
} from "./hostile-files.ts";
import { runWatched, type WatchedRun } from "./watched-command.ts";

/** Counted in processor time, as the machine may do other work. */
const SECONDS_MAX = 10;
const MEGABYTES_MAX = 500;
const KILLED_AFTER_SECONDS = 120;
/** They say something of the folder in which they are, and are not imported alone. */
const FOLDER_FILES: ReadonlySet<string> = new Set(["site.yaml", ".htaccess"]);

/** Imports each hostile file: a refusal in words, little time and memory, and nothing of it on the site. */
export async function judgeHostileFiles(): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const make of HOSTILE_FILES) verdicts.push(await judgeFile(make(), { isRefused: true }));
  for (const make of COSTLY_FILES) verdicts.push(await judgeFile(make(), { isRefused: false }));
  return verdicts;
}

async function judgeFile(
  file: HostileFile,
  { isRefused }: { isRefused: boolean },
): Promise<Verdict> {
  using line = await openSiteLine();
  const folder = join(line.folder, "given");
  const path = join(folder, file.name);
  mkdirSync(dirname(path), { recursive: true });
  writeHostileFile(path, file);
  const isOfFolder = FOLDER_FILES.has(file.name);
  const run = await runWatched(["import", isOfFolder ? folder : path], {
    environment: line.environment,
    secondsMax: KILLED_AFTER_SECONDS,
  });
  rmSync(path);
  const fault = faultOf(run, isRefused);
  const figures = `${run.cpuSeconds.toFixed(1)} s, ${run.megabytes.toFixed(0)} MB`;
  const said = (run.err || run.out).split("\n")[0]?.slice(0, 160) ?? "";
  return {
    what: file.what,
    passed: fault === null,
    detail: fault === null ? `${figures}: ${said}` : `${fault} (${figures}): ${said}`,
  };
}

/** Null: none. */
function faultOf({ code, out, err, ...run }: WatchedRun, isRefused: boolean): string | null {
  if (code === null) return "killed";
  if (isRefused && code === 0) return "taken in";
  if (/^\s+at |\[object Object\]|heap out of memory/m.test(`${out}${err}`)) return "broke off";
  if (run.cpuSeconds > SECONDS_MAX) return "too slow";
  return run.megabytes > MEGABYTES_MAX ? "too much memory" : null;
}
