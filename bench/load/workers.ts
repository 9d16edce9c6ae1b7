import { readFileSync } from "node:fs";
import { median, rounded } from "./comparing.ts";
import { cpuSecondsOf, MeasuredProcess } from "./process.ts";
import { CLIENTS, type LoadRequest, sendLoad } from "./wrk.ts";

const BAR = "≥ 1.7";
/** As long as V8 takes to compile all that the requests run through, in two processes at once. */
const WARMING_SECONDS = 8;

export interface WorkersRow {
  what: string;
  /** Without workers, then with two, in all processes. */
  cpuMicroseconds: [one: number, two: number];
  /** Of it, in the process that keeps the limits for both, and in the busier of the two workers. */
  firstMicroseconds: number;
  busierMicroseconds: number;
  /**
   * How many times as much two answer as one, with a processor each: the clients, who run on the same
   * processors here, take no part in it. Two get as far as both processors' time goes, and no further
   * than the busiest process with the one it has.
   */
  ratio: number;
  bar: string;
  /** As measured beside the clients. */
  perSecond: [one: number, two: number];
}

/** A round of one process or of several, in CPU µs of each a request. */
interface WorkersRound {
  perSecond: number;
  total: number;
  first: number;
  busiest: number;
}

interface WorkersOptions {
  environment: Readonly<Record<string, string>>;
  /** Where the one process listens, and where the two. */
  ports: [one: number, two: number];
  rounds: number;
  seconds: number;
}

/** What two processes on one port answer beside one, taking turns. */
export async function compareWorkers(
  cases: readonly { name: string; requests: readonly LoadRequest[] }[],
  { environment, ports, rounds, seconds }: WorkersOptions,
): Promise<WorkersRow[]> {
  const start = (port: number, workers: number) =>
    MeasuredProcess.start(process.execPath, ["bin/commonplace.cjs", "serve"], {
      environment: { ...environment, PORT: String(port), WORKERS: String(workers) },
      ready: /Issue a key/,
    });
  await using one = await start(ports[0], 1);
  await using two = await start(ports[1], 2);
  const servers = [one, two].map(({ pid }, at) => ({
    pid,
    origin: `http://127.0.0.1:${ports[at]}`,
    // Each worker has as much to do in a turn of its event loop as the one process has.
    clients: CLIENTS * (at + 1),
  }));
  const rows: WorkersRow[] = [];
  for (const { name, requests } of cases) {
    for (const { pid: _, ...server } of servers) {
      await sendLoad({ ...server, requests, seconds: WARMING_SECONDS });
    }
    const found: WorkersRound[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, { pid, ...server }] of servers.entries()) {
        found[at]?.push(await workersRound(pid, { ...server, requests, seconds }));
      }
    }
    const [ofOne = [], ofTwo = []] = found;
    rows.push(rowOf(name, ofOne, ofTwo));
  }
  return rows;
}

async function workersRound(
  pid: number,
  load: { origin: string; requests: readonly LoadRequest[]; seconds: number; clients: number },
): Promise<WorkersRound> {
  const pids = [pid, ...childrenOf(pid)];
  const before = pids.map(cpuSecondsOf);
  const { requests, perSecond } = await sendLoad(load);
  const each = pids.map((one, at) => ((cpuSecondsOf(one) - (before[at] ?? 0)) * 1e6) / requests);
  return { perSecond, total: each.reduce(sum), first: each[0] ?? 0, busiest: Math.max(...each) };
}

function rowOf(
  name: string,
  one: readonly WorkersRound[],
  two: readonly WorkersRound[],
): WorkersRow {
  const ratios = two.map(
    ({ total, busiest }, round) => (one[round]?.total ?? 0) / Math.max(total / 2, busiest),
  );
  const of = (rounds: readonly WorkersRound[], figure: keyof WorkersRound) =>
    rounded(median(rounds.map((round) => round[figure])), 10);
  return {
    what: name,
    cpuMicroseconds: [of(one, "total"), of(two, "total")],
    firstMicroseconds: of(two, "first"),
    busierMicroseconds: of(two, "busiest"),
    ratio: rounded(median(ratios), 100),
    bar: BAR,
    perSecond: [of(one, "perSecond"), of(two, "perSecond")],
  };
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
