import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readRecord, type Step } from "./record.ts";

export const MAIN = join(import.meta.dirname, "../../../src/main.ts");
const SOURCE = join(import.meta.dirname, "file-steps.c");
/** Making the demo takes a few seconds, and up to a minute on a busy machine. */
const LASTS_MS_MAX = 300_000;

/**
 * Environment variables for all commands. The origin is constant, so that no start renders the pages again.
 */
export const ENVIRONMENT = { PUBLIC_URL: "http://site.test", DEMO: "0", LOG_LEVEL: "silent" };

/** The part of this process's environment that every process of the program inherits. */
export const INHERITED = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

/** Compiles `file-steps.c` into a folder. Returns the path of the library. */
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
  /** The folder in which changes are steps. */
  folder: string;
  /** The file of the step record, outside that folder. */
  record: string;
  /** The step at which the process ends; null: none. */
  lastStep: number | null;
  how: "before" | "half";
  /** A port. Data sent to it counts as steps too. */
  port?: number;
}

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  err: string;
  steps: Step[];
}

/** Runs a command of the program and records its steps. `drive` gets the running process. */
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
