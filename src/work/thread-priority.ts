import { setPriority } from "node:os";

/** Makes this thread give way to the one that serves pages; of 1 to 19, the higher the more. */
export function lowerThreadPriority(niceness: number): void {
  // Only on Linux does this set the priority of the thread rather than of the process.
  if (process.platform === "linux") setPriority(niceness);
}
