import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** The lowest priority within the ordinary scheduling class. */
const NICENESS_MAX = 19;

/** Lets this process, and what it starts, run only where other processes leave a processor free. */
export function yieldProcessors(): void {
  if (!enterIdleClass()) lowerPriority();
}

/**
 * Enters the idle scheduling class of Linux (sched(7), SCHED_IDLE), which a process that wakes up
 * interrupts at once; it waits for one of the lowest priority. Node has no call for it.
 * Returns false where the command is missing or refused.
 */
function enterIdleClass(): boolean {
  if (process.platform !== "linux") return false;
  const words = ["--all-tasks", "--idle", "--pid", "0", `${process.pid}`];
  return spawnSync("chrt", words, { stdio: "ignore" }).status === 0;
}

function lowerPriority(): void {
  // Linux knows only priorities of threads, and new ones take over that of the thread that starts them.
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task") : ["0"];
  for (const thread of threads) {
    try {
      setPriority(Number(thread), NICENESS_MAX);
    } catch {
      // The thread has ended meanwhile.
    }
  }
}
