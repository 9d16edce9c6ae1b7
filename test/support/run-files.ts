import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "./temporary-folder.ts";

/** Importing the program takes most files longer than their tests, so that several share a process. */
const FILES_PER_PROCESS = 8;

/** Megabytes of the young generation. With Node's 16, a seventh of the processor time is garbage collection. */
const SEMI_SPACE_MEGABYTES = 64;

/** Fails tests that would hang. */
const TEST_MILLISECONDS_MAX = 300_000;

/** Matches files that choose the engine for a whole process. */
const NEEDS_OWN_PROCESS = /againOnPostgres|testOn\(/;

const RUN_TOGETHER = pathToFileURL(join(import.meta.dirname, "run-together.ts"));

/**
 * Runs test files in several processes at a time. If the environment's `FAILED_FILES` names a file, writes
 * the files with failed tests into it, and runs only those of them that are there already.
 *
 * @returns the exit code: 0 if all passed.
 */
export async function runFiles(
  files: readonly string[],
  {
    processes,
    filesPerProcess = FILES_PER_PROCESS,
    environment = process.env,
  }: { processes: number; filesPerProcess?: number; environment?: NodeJS.ProcessEnv },
): Promise<number> {
  const temporary = temporaryFolder();
  const folder = mkdtempSync(join(temporary, "commonplace-tests-"));
  const listOfFailed = environment["FAILED_FILES"] ?? "";
  const words = [
    "--env-file=test/test.env",
    "--import=./test/support/property-seed.ts",
    `--max-semi-space-size=${SEMI_SPACE_MEGABYTES}`,
    "--test",
    `--test-timeout=${TEST_MILLISECONDS_MAX}`,
    "--test-global-setup=test/support/prepared-stores.ts",
    `--test-concurrency=${processes}`,
    ...(listOfFailed === "" ? [] : reportersTo(listOfFailed)),
    ...programsOf(failedAmong(files, listOfFailed), { folder, filesPerProcess }),
  ];
  const run = spawn(process.execPath, words, {
    env: { ...environment, TMPDIR: temporary },
    stdio: "inherit",
  });
  const [code] = await once(run, "exit");
  rmSync(folder, { recursive: true });
  return code === 0 ? 0 : 1;
}

function reportersTo(listOfFailed: string): string[] {
  return [
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./test/support/failed-files.cjs",
    `--test-reporter-destination=${listOfFailed}`,
  ];
}

/** The files in the list; all of them if there is none, or a process ended early. */
function failedAmong(files: readonly string[], listOfFailed: string): readonly string[] {
  if (!existsSync(listOfFailed)) return files;
  const failed = new Set(readFileSync(listOfFailed, "utf8").split("\n").filter(Boolean));
  const isKnown = failed.size > 0 && [...failed].every((file) => files.includes(file));
  return isKnown ? [...failed] : files;
}

/** Writes the program of each process into the folder. Its suites bear the names of its files. */
function programsOf(
  files: readonly string[],
  { folder, filesPerProcess }: { folder: string; filesPerProcess: number },
): string[] {
  const { alone = [], together = [] } = Object.groupBy(files, (file) =>
    NEEDS_OWN_PROCESS.test(readFileSync(file, "utf8")) ? "alone" : "together",
  );
  const shares = alone.map((file) => [file]);
  for (let at = 0; at < together.length; at += filesPerProcess) {
    shares.push(together.slice(at, at + filesPerProcess));
  }
  return shares.map((share, at) => {
    const program = join(folder, `${String(at).padStart(3, "0")}.mjs`);
    writeFileSync(
      program,
      `import { runTogether } from "${RUN_TOGETHER}";\nawait runTogether(${JSON.stringify(share)});\n`,
    );
    return program;
  });
}
