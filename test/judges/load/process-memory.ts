import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const KILOBYTES = 1024;
const SAMPLE_MS = 200;
/** A process that uses less processor time than this in a second is idle; a tick is 10 ms. */
const IDLE_TICKS_MAX = 5;
const IDLE_WITHIN_SECONDS = 30;

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

/** Waits until a process is idle, such as after the work of its start; goes on after half a minute. */
export async function untilIdle(pid: number): Promise<void> {
  let before = processorTicks(pid);
  for (let second = 0; second < IDLE_WITHIN_SECONDS; second += 1) {
    await wait(1000);
    const after = processorTicks(pid);
    if (after - before <= IDLE_TICKS_MAX) return;
    before = after;
  }
}

/** User and system time of a process, in clock ticks (proc(5)). */
function processorTicks(pid: number): number {
  const [, rest = ""] = read(`/proc/${pid}/stat`).split(") ");
  const fields = rest.split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}
