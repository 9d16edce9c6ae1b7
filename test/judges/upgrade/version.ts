import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";

const STARTED_WITHIN_MS = 60_000;
const QUOTATIONS = 400;

/** A version of the program that can be run. */
export interface Version {
  name: string;
  /** The file that Node runs. */
  program: string;
}

/** A running server. */
export interface Running {
  origin: string;
  startedInMs: number;
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** Checks out the program at a commit, with the packages of that time. */
export function checkOut(commit: string, folder: string): Version {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { maxBuffer: 500_000_000 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const words = ["ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--prefer-offline"];
  execFileSync("npm", [...words, "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
  const quotations = join(folder, "demo/content/4-quotations.jsonl");
  const lines = readFileSync(quotations, "utf8").split("\n").slice(0, QUOTATIONS);
  writeFileSync(quotations, lines.join("\n"));
  return { name: commit, program: join(folder, "src/main.ts") };
}

/** Runs a command to its end. Returns its standard output. */
export function command(version: Version, dataDir: string, ...words: string[]): string {
  return execFileSync(process.execPath, [version.program, ...words], {
    env: environmentOf(dataDir),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts a server and waits until it is ready. */
export async function start(version: Version, dataDir: string): Promise<Running> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const server = spawnServer(version, dataDir, port);
  while ((await fetch(`${origin}/readyz`).catch(() => null))?.status !== 200) {
    if (server.exitCode !== null) throw new Error(`${version.name} ended with ${server.exitCode}`);
    if (performance.now() - begun > STARTED_WITHIN_MS) throw new Error(`${version.name} is late`);
    await wait(20);
  }
  const startedInMs = performance.now() - begun;
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
    return server.exitCode;
  };
  return {
    origin,
    startedInMs,
    stop: () => end("SIGTERM"),
    kill: async () => {
      await end("SIGKILL");
    },
  };
}

/** Starts a server and kills it after a time, whether or not it is ready. */
export async function startAndKill(
  version: Version,
  dataDir: string,
  afterMs: number,
): Promise<void> {
  const server = spawnServer(version, dataDir, await freePort());
  const ended = once(server, "exit");
  await wait(afterMs);
  server.kill("SIGKILL");
  await ended;
}

function spawnServer({ program }: Version, dataDir: string, port: number) {
  return spawn(process.execPath, [program, "serve"], {
    env: { ...environmentOf(dataDir), PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function environmentOf(dataDir: string): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"],
    DATA_DIR: dataDir,
    DEMO: "0",
    DRAIN_SECONDS: "0",
    LOG_LEVEL: "error",
    CHECK_LINKS: "0",
  };
}
