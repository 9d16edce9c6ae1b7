import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** Lowers the priority of this process and of what it starts. `niceness`: 1 to 19; 19 is lowest. */
export function lowerProcessPriority(niceness: number): void {
  // Linux knows only priorities of threads, and new ones take over that of the thread that starts them.
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task") : ["0"];
  for (const thread of threads) {
    try {
      setPriority(Number(thread), niceness);
    } catch {
      // The thread has ended meanwhile.
    }
  }
}
