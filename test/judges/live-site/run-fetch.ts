import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { INHERITED, MAIN } from "../../support/command-line.ts";

export interface FetchResult {
  /** Null: killed. */
  code: number | null;
  out: string;
  err: string;
  seconds: number;
  /** The most memory that the process had, in MiB; 0 if it ended before it was looked at. */
  residentMegabytes: number;
}

const LOOK_MILLISECONDS = 100;

/** Runs `fetch` in a process of its own. `onStart` gets the process, to kill it. */
export async function runFetch(
  words: readonly string[],
  dataFolder: string,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<FetchResult> {
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN, "fetch", ...words], {
    env: { ...INHERITED, DATA_DIR: dataFolder, LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    said.err += String(chunk);
  });
  let residentMegabytes = 0;
  const timer = setInterval(() => {
    residentMegabytes = Math.max(residentMegabytes, peakMegabytes(child.pid));
  }, LOOK_MILLISECONDS);
  const closed = once(child, "close");
  onStart(child);
  const [code] = await closed;
  clearInterval(timer);
  return { code, ...said, seconds: (performance.now() - begun) / 1000, residentMegabytes };
}

function peakMegabytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The files of a copy with the hashes of their contents; without the journal, whose order may differ. */
export function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return names
    .filter((name) => name !== ".fetched.jsonl" && statSync(join(folder, name)).isFile())
    .map((name) => {
      const hash = createHash("sha256").update(readFileSync(join(folder, name)));
      return `${name} ${hash.digest("hex")}`;
    });
}
