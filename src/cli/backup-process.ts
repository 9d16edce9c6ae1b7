import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";

const PROGRAM_FILE = new URL("../main.ts", import.meta.url);
const FAULT_CHARACTERS_MAX = 2000;

/**
 * Runs `commonplace backup` in a separate process at low priority, with this process's settings,
 * because encrypting and hashing here would delay responses.
 *
 * @returns the fault; null: the backup was made.
 */
export async function makeBackup(ending: AbortSignal): Promise<string | null> {
  const started = fork(PROGRAM_FILE, ["backup", "--json"], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  lowerPriority(started);
  const end = () => started.kill();
  ending.addEventListener("abort", end);
  let said = "";
  started.stderr?.on("data", (piece) => {
    said = `${said}${String(piece)}`.slice(-FAULT_CHARACTERS_MAX);
  });
  return await new Promise((resolve) => {
    started.on("error", (error) => resolve(error.message));
    started.on("close", (code, signal) => {
      ending.removeEventListener("abort", end);
      resolve(code === 0 ? null : said.trim() || `Ended with ${code ?? signal}`);
    });
  });
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The system does not allow it, or the process has already exited, which `close` reports.
  }
}
