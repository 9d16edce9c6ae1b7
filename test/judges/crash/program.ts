import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readRecord, type Step } from "./record.ts";

export const MAIN = join(import.meta.dirname, "../../../src/main.ts");
const SOURCE = join(import.meta.dirname, "file-steps.c");
/** The demo is made in a few seconds, on a busy machine in a minute. */
const LASTS_MS_MAX = 300_000;

/** For every command. The origin stays the same, so that no start makes the pages anew. */
export const ENVIRONMENT = { PUBLIC_URL: "http://site.test", DEMO: "0", LOG_LEVEL: "silent" };

/** What every process of the program is given of this one's environment. */
export const INHERITED = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

/** Compiles `file-steps.c` into a folder; the library to load. */
export function compileFileSteps(folder: string): string {
  const library = join(folder, "file-steps.so");
  execFileSync("cc", [
    "-shared",
    "-fPIC",
    "-O1",
    "-Wall",
    "-o",
    library,
    SOURCE,
    "-ldl",
    "-lpthread",
  ]);
  return library;
}

export interface Watched {
  library: string;
  /** The folder whose changes are steps. */
  folder: string;
  /** Where the record is kept, outside that folder. */
  record: string;
  /** The step that ends the process; null: none. */
  lastStep: number | null;
  how: "before" | "half";
  /** What is sent there counts as steps too. */
  port?: number;
}

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  err: string;
  steps: Step[];
}

/** Runs a command of the program and records its steps. `drive` is given the process once it runs. */
export async function runWatched(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  {
    watched,
    drive = async () => {},
  }: { watched: Watched; drive?: (child: ChildProcess) => Promise<void> },
): Promise<Ran> {
  rmSync(watched.record, { force: true });
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: {
      ...INHERITED,
      ...environment,
      LD_PRELOAD: watched.library,
      CRASH_FOLDER: watched.folder,
      CRASH_TRACE: watched.record,
      CRASH_STEP: String(watched.lastStep ?? 0),
      CRASH_HOW: watched.how,
      CRASH_PORT: String(watched.port ?? 0),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let err = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk) => {
    err += String(chunk);
  });
  const late = setTimeout(() => child.kill("SIGKILL"), LASTS_MS_MAX);
  const closed = once(child, "close");
  try {
    await drive(child);
    await closed;
  } finally {
    child.kill("SIGKILL");
    clearTimeout(late);
  }
  const { exitCode: code, signalCode: signal } = child;
  return { code, signal, err, steps: readRecord(watched.record) };
}
