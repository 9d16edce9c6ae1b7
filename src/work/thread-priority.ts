import { setPriority } from "node:os";

/** Lowers the priority of this thread below the one that serves pages. `niceness`: 1 to 19; 19 is lowest. */
export function lowerThreadPriority(niceness: number): void {
  // Only on Linux does this set the priority of the thread rather than of the process.
  if (process.platform === "linux") setPriority(niceness);
}
