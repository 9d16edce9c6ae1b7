import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const TICKS_PER_SECOND = 100;
const SAMPLE_MILLISECONDS = 20;

export interface ProcessCost {
  /** CPU time of processes that the server started. */
  cpuSeconds: number;
  /** The most memory of the server and the processes it started, above what the server used before. */
  moreMegabytes: number;
}

/** Watches a process and its children until `isDone`. Linux only. */
export async function watchProcess(
  pid: number,
  isDone: () => Promise<boolean>,
): Promise<ProcessCost> {
  const before = megabytesOf(pid);
  const ticks = new Map<number, number>();
  let most = before;
  while (!(await isDone())) {
    const started = childrenOf(pid);
    for (const child of started) ticks.set(child, ticksOf(child));
    const all = [pid, ...started].reduce((sum, each) => sum + megabytesOf(each), 0);
    most = Math.max(most, all);
    await wait(SAMPLE_MILLISECONDS);
  }
  const used = [...ticks.values()].reduce((sum, each) => sum + each, 0);
  return { cpuSeconds: used / TICKS_PER_SECOND, moreMegabytes: most - before };
}

function childrenOf(pid: number): number[] {
  const listed = read(`/proc/${pid}/task/${pid}/children`).trim();
  return listed === "" ? [] : listed.split(" ").map(Number);
}

/** Proportional set size, so that memory shared by two processes counts once. */
function megabytesOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

function ticksOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
