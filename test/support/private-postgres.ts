import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";

const STARTED_WITHIN_MS = 60_000;
const USER = "commonplace";
/** Characters kept from the end of its output. */
const PRINTED_MAX = 2000;

/**
 * A private PostgreSQL server on this machine, as durable as one in production. Disposal removes its data.
 */
export interface PrivatePostgres extends AsyncDisposable {
  /** URL of a superuser for an existing database. */
  url: string;
  /** Resolves when the server accepts connections. Recovers from a kill. */
  start(): Promise<void>;
  /** Closes all connections and stops in an orderly way. */
  stop(): Promise<void>;
  /** Kills all of its processes, without any cleanup. */
  kill(): Promise<void>;
  /** Suspends all of its processes. They accept connections but do not answer. */
  halt(): void;
  resume(): void;
}

/**
 * @param settings Changes to the defaults of PostgreSQL, such as `fsync=off`.
 * @param place where its data is, in a folder that is removed at the end.
 */
export async function startPrivatePostgres(
  settings: readonly string[] = [],
  place: { folder: string } = { folder: tmpdir() },
): Promise<PrivatePostgres> {
  const programs = newestPrograms();
  const folder = mkdtempSync(join(place.folder, "commonplace-postgres-"));
  const identity = identityFor(folder);
  const data = join(folder, "data");
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o644 });
  execFileSync(
    join(programs, "initdb"),
    [
      "-D",
      data,
      "-U",
      USER,
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "-E",
      "UTF8",
      "--locale=C",
    ],
    { ...identity, stdio: "ignore", cwd: folder },
  );
  rmSync(passwordFile);
  const words = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"];
  let server: ChildProcess | null = null;
  const start = async () => {
    const wanted = settings.flatMap((setting) => ["-c", setting]);
    server = spawn(join(programs, "postgres"), [...words, ...wanted], {
      ...identity,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let printed = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-PRINTED_MAX);
    });
    await untilItAnswers(server, port, () => printed);
  };
  const stop = async () => await endServer(server, (pid) => process.kill(pid, "SIGINT"));
  const kill = async () => {
    let children: number[] = [];
    await endServer(server, (pid) => {
      // A suspended process cannot start another one, which would be left over.
      process.kill(pid, "SIGSTOP");
      children = childrenOf(pid);
      for (const one of [pid, ...children]) killIfAlive(one);
    });
    while (children.some(isAlive)) await wait(5);
  };
  const signalAll = (signal: "SIGSTOP" | "SIGCONT") => {
    const pid = server?.pid;
    if (pid === undefined) return;
    for (const one of [pid, ...childrenOf(pid)]) process.kill(one, signal);
  };
  await start();
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop,
    kill,
    halt: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Debian has the programs of each version in a folder that is not in PATH. */
function newestPrograms(): string {
  const found = globSync("/usr/lib/postgresql/*/bin/postgres").sort((one, other) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
  const newest = found.at(-1);
  if (newest === undefined) {
    throw new Error("There is no PostgreSQL on this machine: install Debian's package postgresql");
  }
  return join(newest, "..");
}

/** PostgreSQL refuses to run as root. It then runs as `postgres` or `nobody`, who gets the folder. */
function identityFor(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const line = ["postgres:", "nobody:"]
    .map((name) => users.find((user) => user.startsWith(name)))
    .find((user) => user !== undefined);
  const [, , uid, gid] = (line ?? "").split(":").map(Number);
  if (uid === undefined || gid === undefined) throw new Error("There is no user for PostgreSQL");
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o755);
  return { uid, gid };
}

async function untilItAnswers(
  server: ChildProcess,
  port: number,
  printed: () => string,
): Promise<void> {
  const deadline = performance.now() + STARTED_WITHIN_MS;
  while (performance.now() < deadline) {
    if (server.exitCode !== null) {
      throw new Error(
        `PostgreSQL ended with exit code ${server.exitCode} as it started: ${printed()}`,
      );
    }
    if (await takesQueries(port)) return;
    await wait(20);
  }
  throw new Error(`PostgreSQL did not answer within ${STARTED_WITHIN_MS} ms`);
}

/** Sends a startup message. PostgreSQL asks for a password only once it has recovered. */
function takesQueries(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const words = Buffer.from(`user\0${USER}\0database\0postgres\0\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(words.length + head.length);
    head.writeInt32BE(196_608, 4);
    socket.once("connect", () => socket.write(Buffer.concat([head, words])));
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer.toString("latin1", 0, 1) === "R");
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
}

async function endServer(server: ChildProcess | null, end: (pid: number) => void): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  end(server.pid);
  await exit;
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** A zombie, which has ended but was not waited for, holds no resources. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.at(stat.lastIndexOf(")") + 2) !== "Z";
  } catch {
    return false;
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

/** Undefined: the process has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
