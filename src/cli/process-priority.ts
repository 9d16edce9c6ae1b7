import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** The lowest priority within the ordinary scheduling class. */
const NICENESS_MAX = 19;

/** Runs this process and its children only when a processor is otherwise idle. */
export function setIdlePriority(): void {
  if (!enterIdleClass()) lowerPriority();
}

/**
 * Enters the idle scheduling class of Linux (sched(7), SCHED_IDLE). Runs `chrt` for this, because Node has no
 * API for it. From then on, any other process that wakes up runs first; the lowest ordinary priority does not
 * guarantee this. Returns false on other systems, or if `chrt` is missing or fails.
 */
function enterIdleClass(): boolean {
  if (process.platform !== "linux") return false;
  const words = ["--all-tasks", "--idle", "--pid", "0", `${process.pid}`];
  return spawnSync("chrt", words, { stdio: "ignore" }).status === 0;
}

function lowerPriority(): void {
  // On Linux, each thread has its own priority. A new thread inherits the priority of the thread
  // that starts it.
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task") : ["0"];
  for (const thread of threads) {
    try {
      setPriority(Number(thread), NICENESS_MAX);
    } catch {
      // Ignored: the thread has ended meanwhile.
    }
  }
}
