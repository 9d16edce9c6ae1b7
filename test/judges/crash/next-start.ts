import { createReadStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../../src/cli/run.ts";
import { unpackBackup } from "../../../src/storage/backup/packed/unpacking.ts";
import { freePort } from "../../support/free-port.ts";
import { type Facts, readFacts, readTree, type TreeEntry } from "./facts.ts";
import { ENVIRONMENT } from "./program.ts";

// As `src/main.ts` does.
process.umask(0o077);
const port = await freePort();

/** What to do with a folder after a crash. */
export interface Task {
  id: number;
  /** Contains `data`, and the other files of the command. */
  root: string;
  environment: Record<string, string>;
  /** A command that runs after the start, and before a second one; null: none. */
  again: readonly string[] | null;
  /** Environment variables for that command. */
  againEnvironment: Record<string, string>;
  /** Other stores to check, below `root`. */
  copies: readonly string[];
}

export interface Started {
  /** How the start failed; empty: it answered and stopped normally. */
  fault: string;
  /** The facts of the store afterwards; null: there is none. */
  facts: Facts | null;
  tree: readonly TreeEntry[];
}

export interface Outcome {
  id: number;
  first: Started;
  copies: Record<string, Facts | string | null>;
  /** Exit code and error output of the repeated command, and the start after it. */
  again: (Started & { code: number; err: string }) | null;
}

/** A separate process that starts the service on folders left by crashes, one after the other. */
process.on("message", (task: Task) => {
  void outcomeOf(task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

const ownEvents = new Set(process.eventNames());

async function outcomeOf(task: Task): Promise<Outcome> {
  const { id, root, environment, again, copies } = task;
  const first = await start(root, environment);
  const found: Outcome["copies"] = {};
  for (const name of copies) found[name] = await copyAt(join(root, name));
  if (again === null) return { id, first, copies: found, again: null };
  const { code, err } = await command(again, { ...environment, ...task.againEnvironment });
  return { id, first, copies: found, again: { code, err, ...(await start(root, environment)) } };
}

/** Runs the service as `npm start` does, requests a page, and stops it normally. */
async function start(root: string, environment: Record<string, string>): Promise<Started> {
  const data = join(root, "data");
  let fault = "";
  const asked: Promise<void>[] = [];
  const onLine = (line: string) => {
    if (!line.includes("Home ")) return;
    const answered = ask(`http://127.0.0.1:${port}`).then((word) => {
      fault ||= word;
    });
    asked.push(answered.finally(() => process.emit("SIGTERM")));
  };
  const { code, err } = await command(["serve"], environment, onLine);
  await Promise.all(asked);
  forgetListeners();
  if (code !== 0) fault = `serve: ${err}`;
  const tree = readTree(root);
  const store = join(data, "commonplace.db");
  // A store that is not served is not a site yet.
  const facts = code === 0 && existsSync(store) ? factsAt(store, join(data, "media")) : null;
  if (typeof facts === "string") fault ||= facts;
  return { fault, facts: typeof facts === "string" ? null : facts, tree };
}

/** Serving code expects to run once per process. */
function forgetListeners(): void {
  for (const event of process.eventNames()) {
    if (!ownEvents.has(event)) process.removeAllListeners(event);
  }
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
}

async function command(
  words: readonly string[],
  environment: Record<string, string>,
  onLine: (line: string) => void = () => {},
): Promise<{ code: number; err: string }> {
  const err: string[] = [];
  const code = await runCommandLine(words, {
    environment: { ...ENVIRONMENT, PORT: String(port), ...environment },
    terminal: {
      out: onLine,
      err: (line) => err.push(line),
      write: async () => {},
      isInteractive: false,
    },
  });
  return { code, err: err.join("; ") };
}

async function ask(origin: string): Promise<string> {
  for (const path of ["/readyz", "/"]) {
    const status = await new Promise((resolve) => {
      get(`${origin}${path}`, { agent: false, headers: { accept: "text/html" } }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      }).on("error", resolve);
    });
    if (status !== 200) return `${path} is answered ${String(status)}`;
  }
  return "";
}

async function copyAt(path: string): Promise<Facts | string | null> {
  if (!existsSync(path)) return null;
  if (path.endsWith(".db")) return factsAt(path, `${path}-none`);
  return path.endsWith(".tar") ? await packedAt(path) : folderAt(path);
}

async function packedAt(path: string): Promise<Facts | string> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-unpacked-"));
  try {
    const names = { store: "commonplace.db", media: "media" };
    await unpackBackup(createReadStream(path), folder, { label: path, names });
    return folderAt(folder);
  } catch (error) {
    return String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function folderAt(path: string): Facts | string {
  const store = join(path, "commonplace.db");
  return existsSync(store) ? factsAt(store, join(path, "media")) : "no store in it";
}

function factsAt(store: string, media: string): Facts | string {
  try {
    return readFacts(store, media);
  } catch (error) {
    return `${store}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
