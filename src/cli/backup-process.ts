import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";

const PROGRAM_FILE = new URL("../main.ts", import.meta.url);
const FAULT_CHARACTERS_MAX = 2000;

/**
 * Runs `commonplace backup` with this process's settings, in a separate process at low priority.
 * Encrypting and hashing in this process would delay responses.
 *
 * @returns the fault; null: the backup was made.
 */
export async function makeBackupInChildProcess(stopSignal: AbortSignal): Promise<string | null> {
  const child = fork(PROGRAM_FILE, ["backup", "--json"], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  lowerPriority(child);
  const end = () => child.kill();
  stopSignal.addEventListener("abort", end);
  let errorOutput = "";
  child.stderr?.on("data", (piece) => {
    errorOutput = `${errorOutput}${String(piece)}`.slice(-FAULT_CHARACTERS_MAX);
  });
  return await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => {
      stopSignal.removeEventListener("abort", end);
      resolve(code === 0 ? null : errorOutput.trim() || `Ended with ${code ?? signal}`);
    });
  });
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The backup works without a lower priority, which the system possibly does not allow. If the process
    // has exited, the `close` event reports it.
  }
}
