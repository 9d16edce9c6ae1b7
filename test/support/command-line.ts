import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommandLine } from "../../src/cli/run.ts";

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** A temporary folder for a test, with a store and files to import. */
export interface CommandLine extends Disposable {
  folder: string;
  environment: Record<string, string>;
  /** Writes a file into the folder and returns its path. */
  file(name: string, text: string | Buffer): string;
  /** Runs a command in this process. */
  run(...words: string[]): Promise<CommandResult>;
  /** Runs a command in a separate process, as from a shell. */
  spawn(...words: string[]): Promise<CommandResult>;
  /** Like `spawn`, with text on standard input. */
  pipe(input: string, ...words: string[]): Promise<CommandResult>;
}

/** The part of this process's environment that every process of the program inherits. */
export const INHERITED = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  DRAIN_SECONDS: "0",
};

export const MAIN = join(import.meta.dirname, "../../src/main.ts");

export function openCommandLine(more: Record<string, string> = {}): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-cli-"));
  const environment = { DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn", ...more };
  return {
    folder,
    environment,
    file(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    async run(...words) {
      const out: string[] = [];
      const err: string[] = [];
      const code = await runCommandLine(words, {
        environment,
        terminal: {
          out: (line) => out.push(line),
          err: (line) => err.push(line),
          write: async (bytes) => {
            out.push(String(Buffer.from(bytes)));
          },
          isInteractive: false,
        },
      });
      const said = { out: out.join("\n"), err: err.join("\n") };
      // The types allow a message in several languages in a template where one language is meant.
      assert.doesNotMatch(`${said.out}${said.err}`, /\[object Object\]/);
      return { code, ...said };
    },
    spawn: (...words) => spawned(words, environment, null),
    pipe: (input, ...words) => spawned(words, environment, input),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens a command line on a store with a new site. */
export async function openSiteLine(more: Record<string, string> = {}): Promise<CommandLine> {
  const line = openCommandLine(more);
  const { code, err } = await line.run("init");
  if (code !== 0) throw new Error(err);
  return line;
}

async function spawned(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string | null,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...INHERITED, ...environment },
    stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => {
    out += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    err += String(chunk);
  });
  return await new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out: out.trimEnd(), err: err.trimEnd() }));
  });
}
