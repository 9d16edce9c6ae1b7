import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MeasuredProcess } from "../load/process.ts";
import type { Turns } from "../load/turns.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const TURNS = join(import.meta.dirname, "../load/turns.ts");

export interface Server extends AsyncDisposable {
  origin: string;
  key: string;
  process: MeasuredProcess;
  /** Durations of the event loop's turns since the last call, or since the start. */
  turns(): Promise<Turns>;
}

/** A separate server on an empty or given data folder, with a key that may write. */
export async function startServer(dataDir: string, port: number): Promise<Server> {
  const environment = { DATA_DIR: dataDir, PORT: String(port), DEMO: "0", LOG_LEVEL: "warn" };
  const scopes = ["content:read", "content:write", "content:publish"].flatMap((scope) => [
    "--scope",
    scope,
  ]);
  if (!existsSync(join(dataDir, "commonplace.db"))) {
    execFileSync(process.execPath, [MAIN, "init"], { env: { ...process.env, ...environment } });
  }
  const turnsFile = join(dataDir, "turns.json");
  const started = await MeasuredProcess.start(
    process.execPath,
    ["--import", TURNS, MAIN, "serve"],
    {
      environment: { ...environment, TURNS_FILE: turnsFile },
      ready: /serves/,
    },
  );
  const issued = execFileSync(
    process.execPath,
    [MAIN, "keys", "issue", "--name", "bulk", ...scopes, "--json"],
    { env: { ...process.env, ...environment }, encoding: "utf8" },
  );
  return {
    origin: `http://127.0.0.1:${port}`,
    key: JSON.parse(issued).key,
    process: started,
    turns: () => turnsOf(started.pid, turnsFile),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

async function turnsOf(pid: number, file: string): Promise<Turns> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (;;) {
    await sleep(10);
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  }
}

/** Sends lines in chunks of about 64 KB and reads the answer as it arrives. @returns its last line. */
export async function sendBulk(
  { origin, key }: Pick<Server, "origin" | "key">,
  lines: readonly string[],
  onReport: (lines: number) => void = () => {},
): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1/content/bulk`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" },
    body: ReadableStream.from(pieces(lines)),
    duplex: "half",
  });
  const decoder = new TextDecoder();
  let rest = "";
  let last = "";
  for await (const chunk of response.body ?? []) {
    const told = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = told.pop() ?? "";
    last = told.at(-1) ?? last;
    onReport(told.length);
  }
  if (!response.ok) throw new Error(`The bulk was answered ${response.status}: ${last}${rest}`);
  return JSON.parse(last);
}

async function* pieces(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < lines.length; from += 200) {
    yield Buffer.from(lines.slice(from, from + 200).join(""));
  }
}
