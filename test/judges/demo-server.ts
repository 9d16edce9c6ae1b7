import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

/** A separate server process for the demo. Its data folder is removed when it stops. */
export interface DemoServer {
  origin: string;
  readonly pid: number;
  /** Milliseconds from the start of the command to the first page. */
  startedInMs: number;
  /** The code for the first account, which is written once the first page is served. */
  setupCode(): Promise<string>;
  /** What it has printed so far. */
  output(): string;
  /** Runs a command of the program next to the server. Returns its standard output. */
  commonplace(...words: string[]): Promise<string>;
  /** Issues a key for the MCP service with this rate limit. */
  issueKey(ratePerMinute: number): Promise<string>;
  /** Ends it without notice. */
  kill(): Promise<void>;
  /** Starts it after it was killed, with its data and at the same address. */
  startAgain(): Promise<void>;
  /** Asks it to stop and waits. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** Long enough to render the pages of a large data folder for another address. */
const STARTED_WITHIN_MS = 600_000;
const STOPPED_WITHIN_MS = 15_000;

/**
 * Starts the server with the given command, by default as `npm start` does but without npm.
 *
 * @param hostname of its public address; passkeys need a name.
 */
export async function startDemoServer(
  command: readonly string[] = [process.execPath, "src/main.ts", "serve"],
  more: Readonly<Record<string, string>> = {},
  hostname: "127.0.0.1" | "localhost" = "127.0.0.1",
): Promise<DemoServer> {
  const port = await freePort();
  const origin = `http://${hostname}:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), "commonplace-judge-"));
  const own = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", DRAIN_SECONDS: "0" };
  const named = hostname === "localhost" ? { PUBLIC_URL: origin } : {};
  const environment = { ...process.env, ...own, ...named, ...more };
  const begun = performance.now();
  let output = "";
  const start = () => {
    const [program = "", ...words] = command;
    const started = spawn(program, words, {
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    started.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    return started;
  };
  let server = start();
  const commonplace = async (...words: string[]) => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["src/main.ts", ...words], { env: environment });
    return stdout;
  };
  try {
    await untilItAnswers(server, origin);
  } catch (cause) {
    await stopped(server);
    rmSync(dataDir, { recursive: true, force: true });
    throw cause;
  }
  return {
    origin,
    get pid() {
      return server.pid ?? 0;
    },
    startedInMs: performance.now() - begun,
    output: () => output,
    setupCode: async () => {
      const file = join(environment.DATA_DIR, "setup-code");
      await until(() => existsSync(file));
      return readFileSync(file, "utf8").trim();
    },
    commonplace,
    issueKey: async (ratePerMinute) => {
      const words = ["keys", "issue", "--name", "judge", "--scope", "mcp:read"];
      const printed = await commonplace(...words, "--rate", String(ratePerMinute), "--json");
      const { key } = JSON.parse(printed);
      return String(key);
    },
    kill: async () => {
      await ended(server, "SIGKILL");
    },
    startAgain: async () => {
      server = start();
      await untilItAnswers(server, origin);
    },
    stop: async () => {
      const code = await stopped(server);
      rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

async function untilItAnswers(server: ChildProcess, origin: string): Promise<void> {
  const deadline = performance.now() + STARTED_WITHIN_MS;
  while (performance.now() < deadline) {
    if (server.exitCode !== null) {
      throw new Error(`The server ended with exit code ${server.exitCode} before it answered`);
    }
    const answer = await fetch(origin).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await wait(50);
  }
  throw new Error(`The server did not answer at ${origin} within ${STARTED_WITHIN_MS} ms`);
}

/** Asks the server to end. SIGKILL is the last resort. */
async function stopped(server: ChildProcess): Promise<number | null> {
  const late = setTimeout(() => void ended(server, "SIGKILL"), STOPPED_WITHIN_MS);
  const code = await ended(server, "SIGTERM");
  clearTimeout(late);
  return code;
}

/** Signals the whole process group, because npm can be between this process and the server, and waits. */
async function ended(server: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) {
    return server.exitCode;
  }
  const exit = new Promise<number | null>((resolve) => server.once("exit", resolve));
  process.kill(-server.pid, signal);
  return await exit;
}
