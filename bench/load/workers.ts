import { readFileSync } from "node:fs";
import { measured, median, type Round, rounded } from "./comparing.ts";
import { cpuSecondsOf, MeasuredProcess } from "./process.ts";
import type { LoadRequest } from "./wrk.ts";

export interface WorkersRow {
  what: string;
  /** Without workers, then with two. */
  cpuMicroseconds: [one: number, two: number];
  perSecond: [one: number, two: number];
  /** How many times as much two answer in a second. */
  throughput: number;
  /** The same from CPU time alone: what two would answer if nothing else wanted their processors. */
  throughputByCpu: number;
  /** CPU µs a request of the process that keeps the limits for both. */
  firstMicroseconds: number;
}

interface Found {
  name: string;
  requests: readonly LoadRequest[];
  one: Round[];
  two: (Round & { firstMicroseconds: number })[];
}

interface WorkersOptions {
  environment: Readonly<Record<string, string>>;
  origin: string;
  rounds: number;
  seconds: number;
}

/** What two processes on one port answer beside one, taking turns. */
export async function compareWorkers(
  cases: readonly { name: string; requests: readonly LoadRequest[] }[],
  { environment, origin, rounds, seconds }: WorkersOptions,
): Promise<WorkersRow[]> {
  const found = cases.map(({ name, requests }): Found => ({ name, requests, one: [], two: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const workers of [1, 2]) {
      await using server = await MeasuredProcess.start(
        process.execPath,
        ["bin/commonplace.cjs", "serve"],
        { environment: { ...environment, WORKERS: String(workers) }, ready: /Issue a key/ },
      );
      const { pid } = server;
      const all = { cpuSeconds: () => [pid, ...childrenOf(pid)].map(cpuSecondsOf).reduce(sum) };
      for (const { requests, one, two } of found) {
        const load = { origin, requests, seconds };
        await measured(all, load);
        const before = cpuSecondsOf(pid);
        const figures = await measured(all, load);
        const firstMicroseconds = ((cpuSecondsOf(pid) - before) * 1e6) / figures.requests;
        if (workers === 1) one.push(figures);
        else two.push({ ...figures, firstMicroseconds });
      }
    }
  }
  return found.map(({ name, one, two }) => {
    const of = (figures: readonly Round[], figure: "cpuMicroseconds" | "perSecond") =>
      rounded(median(figures.map((round) => round[figure])), 10);
    const cpu: [number, number] = [of(one, "cpuMicroseconds"), of(two, "cpuMicroseconds")];
    const perSecond: [number, number] = [of(one, "perSecond"), of(two, "perSecond")];
    return {
      what: name,
      cpuMicroseconds: cpu,
      perSecond,
      throughput: rounded(perSecond[1] / perSecond[0], 100),
      throughputByCpu: rounded((2 * cpu[0]) / cpu[1], 100),
      firstMicroseconds: rounded(median(two.map((round) => round.firstMicroseconds)), 10),
    };
  });
}

function sum(one: number, other: number): number {
  return one + other;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .map(Number);
}
