import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const KILOBYTES = 1024;
const SAMPLE_MS = 200;

/** Resident megabytes of a process and its children (proc(5)). */
export function residentMegabytes(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + residentMegabytes(Number(child)), ownMegabytes(pid));
}

/** As {@link residentMegabytes}, without the children. */
export function ownMegabytes(pid: number): number {
  const status = read(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / KILOBYTES;
}

/** Empty if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The peak memory of a process during some work. */
export async function peakDuring(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = residentMegabytes(pid);
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, SAMPLE_MS);
  await work();
  clearInterval(sampling);
  return Math.max(peak, residentMegabytes(pid));
}

/** The memory of an idle process, after it has had time for garbage collection. */
export async function restingMegabytes(pid: number): Promise<number> {
  await wait(3000);
  return residentMegabytes(pid);
}
