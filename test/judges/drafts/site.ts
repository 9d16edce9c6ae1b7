import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";

/** A server on a separate data folder that can be killed and started again. */
export interface KillableSite {
  origin: string;
  /** A key with access to everything below `/api/v1`. */
  key: string;
  mcpKey: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

const SCOPES = ["content:read", "content:write", "content:publish"];
const STARTED_WITHIN_MS = 300_000;

/** Makes the demo site in a folder, with a key. Its record may be in a database. */
export async function makeSite(dataDir: string, databaseUrl?: string): Promise<KillableSite> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...{ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "error", DEMO: "1" },
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  let server: ChildProcess | null = null;
  const start = async () => {
    server = spawn(process.execPath, ["src/main.ts", "serve"], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const deadline = performance.now() + STARTED_WITHIN_MS;
    while (performance.now() < deadline) {
      const answer = await fetch(`${origin}/readyz`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return;
      await wait(20);
    }
    throw new Error("The server did not start");
  };
  const kill = async () => {
    if (server === null || server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  const issue = (scopes: readonly string[]): string => {
    const words = ["src/main.ts", "keys", "issue", "--name", "judge", "--rate", "100000", "--json"];
    const all = [...words, ...scopes.flatMap((scope) => ["--scope", scope])];
    return JSON.parse(execFileSync(process.execPath, all, { env, encoding: "utf8" })).key;
  };
  await start();
  return { origin, key: issue(SCOPES), mcpKey: issue(["mcp:read"]), start, kill };
}

/** Sends a request below `/api/v1`. Returns the JSON of the answer. */
export async function askApi(
  { origin, key }: Pick<KillableSite, "origin" | "key">,
  method: string,
  path: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}
