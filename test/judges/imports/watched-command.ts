import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { INHERITED, MAIN } from "../../support/command-line.ts";
import { residentMegabytes } from "../load/process-memory.ts";

const SAMPLE_MILLISECONDS = 20;
/** Of `times(2)`, on all Linux machines. */
const TICKS_PER_SECOND = 100;

export interface WatchedRun {
  /** Null if it was killed. */
  code: number | null;
  out: string;
  err: string;
  seconds: number;
  cpuSeconds: number;
  /** Its peak. */
  megabytes: number;
}

/**
 * Runs a command in a process of its own and watches what it takes. Kills it after `secondsMax`.
 * `main`: the program, by default that of this checkout.
 */
export async function runWatched(
  words: readonly string[],
  {
    environment,
    secondsMax,
    main = MAIN,
  }: { environment: Record<string, string>; secondsMax: number; main?: string },
): Promise<WatchedRun> {
  const begun = performance.now();
  const child = spawn(process.execPath, [main, ...words], {
    env: { ...INHERITED, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: secondsMax * 1000,
    killSignal: "SIGKILL",
  });
  const pid = child.pid ?? 0;
  let [out, err, megabytes, cpuSeconds] = ["", "", 0, 0];
  child.stdout.on("data", (piece) => {
    out += piece;
  });
  child.stderr.on("data", (piece) => {
    err += piece;
  });
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(pid));
    cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(pid));
  }, SAMPLE_MILLISECONDS);
  const [code] = await once(child, "close");
  clearInterval(sampling);
  return { code, out, err, seconds: (performance.now() - begun) / 1000, cpuSeconds, megabytes };
}

/** Processor time of a process's threads (proc(5)); 0 if it has ended. */
function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
