import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = join(import.meta.dirname, "..", "node_modules");

/** Runs a program of `test/judges/node_modules` with the Node of this process. */
export function runTool(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const file = join(PACKAGES, program);
  if (!existsSync(file)) {
    throw new Error(`${file} is missing: run "npm ci --prefix test/judges" first`);
  }
  return new Promise((resolve) => {
    const running = execFile(
      process.execPath,
      [file, ...words],
      { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } },
      (_, stdout, stderr) => resolve({ exitCode: running.exitCode, stdout, stderr }),
    );
  });
}
