import { setPriority } from "node:os";

/**
 * Lowers the priority of this thread below that of the thread that serves pages. `niceness`: 1 to 19;
 * 19 is the lowest priority.
 */
export function lowerThreadPriority(niceness: number): void {
  // On systems other than Linux, this would set the priority of the whole process.
  if (process.platform === "linux") setPriority(niceness);
}
