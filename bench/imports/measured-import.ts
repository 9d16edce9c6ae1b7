import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { cpuSecondsOf } from "../load/process.ts";

const WATCH_MILLISECONDS = 200;
const KILOBYTES_PER_MEGABYTE = 1024;

export interface MeasuredImport<Report> {
  report: Report;
  seconds: number;
  /** CPU time of all threads, but for the last moments before the end. */
  cpuSeconds: number;
  /** The largest resident set. */
  peakMegabytes: number;
}

/** Imports files with a program, its first words, into a data folder that may not be there yet. */
export async function measuredImport<Report>(
  program: readonly [string, ...string[]],
  { files, dataDir, flags = [] }: { files: readonly string[]; dataDir: string; flags?: string[] },
): Promise<MeasuredImport<Report>> {
  const [command, ...words] = program;
  const begun = performance.now();
  const child = spawn(command, [...words, "import", ...files, "--json", ...flags], {
    env: { ...process.env, DATA_DIR: dataDir, DEMO: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const used = { cpuSeconds: 0, peakMegabytes: 0 };
  const watch = setInterval(() => {
    Object.assign(used, resourcesOf(Number(child.pid)));
  }, WATCH_MILLISECONDS);
  const exited = once(child, "exit");
  const report = JSON.parse(await text(child.stdout));
  await exited;
  clearInterval(watch);
  return { report, seconds: (performance.now() - begun) / 1000, ...used };
}

/** Undefined if the process has ended. */
function resourcesOf(pid: number): Omit<MeasuredImport<unknown>, "report" | "seconds"> | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
    if (kilobytes === undefined) return undefined;
    const peakMegabytes = Math.round(Number(kilobytes) / KILOBYTES_PER_MEGABYTE);
    return { cpuSeconds: cpuSecondsOf(pid), peakMegabytes };
  } catch {
    return undefined;
  }
}
