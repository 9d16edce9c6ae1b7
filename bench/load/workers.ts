import { readFileSync } from "node:fs";
import type { Case } from "./cases.ts";
import { median, rounded } from "./comparing.ts";
import { cpuSecondsOf, MeasuredProcess } from "./process.ts";
import { type LoadFigures, type LoadRequest, sendLoad } from "./wrk.ts";

const BAR = "≥ 1.7";
/**
 * Clients of each process: enough to keep it busy while it waits for the limits, and few enough that none is
 * refused for overload, which costs less than an answer.
 */
const CLIENTS = 24;
/** As long as V8 takes to compile everything that the requests run through, in two processes at once. */
const WARMING_SECONDS = 8;

export interface WorkersRow {
  what: string;
  /** Without workers, then with two, over all processes. */
  cpuMicroseconds: [one: number, two: number];
  /** The part of it in the process that keeps the limits for both. */
  firstMicroseconds: number;
  /**
   * How many times as much two workers answer as one, with a processor each. The clients take one of two
   * processors, so one worker is measured while the other is suspended. If both ran alternately on the
   * remaining processor, requests would arrive one by one. The result is limited by the time of both
   * processors, and of the processor of the process that keeps the limits.
   */
  ratio: number;
  bar: string;
  /** Measured with all processes at work next to the clients. */
  perSecond: [one: number, two: number];
  /** Missing or refused answers. If there are any, the figures mean little. */
  failures: number;
}

/** A round of one process, or of two workers. */
interface WorkersRound {
  perSecond: number;
  /** CPU µs per request, over all processes and in the first one. */
  total: number;
  first: number;
  failures: number;
}

interface WorkersOptions {
  /**
   * Environments of the single process and of the two workers. They have separate folders, because servers
   * share none.
   */
  environments: [one: Readonly<Record<string, string>>, two: Readonly<Record<string, string>>];
  /** Ports of the single process and of the workers. */
  ports: [one: number, two: number];
  rounds: number;
  seconds: number;
  /** Makes each of the two discard its answers. */
  forget: [one: () => void, two: () => void];
}

/** Compares what two processes on one port answer with what one answers, in turn. */
export async function compareWorkers(
  cases: readonly Pick<Case, "name" | "requests" | "isFirst">[],
  { environments, ports, rounds, seconds, forget }: WorkersOptions,
): Promise<WorkersRow[]> {
  const start = (place: 0 | 1, workers: number) =>
    MeasuredProcess.start(process.execPath, ["bin/commonplace.cjs", "serve"], {
      environment: { ...environments[place], PORT: String(ports[place]), WORKERS: String(workers) },
      ready: /Issue a key/,
    });
  await using one = await start(0, 1);
  await using two = await start(1, 2);
  const place = ({ pid }: MeasuredProcess, at: 0 | 1): Place => ({
    pid,
    origin: `http://127.0.0.1:${ports[at]}`,
    forget: forget[at],
  });
  const [ofOne, ofTwo] = [place(one, 0), place(two, 1)];
  const rows: WorkersRow[] = [];
  for (const { name, requests, isFirst } of cases) {
    const load: Load = { requests, seconds, isFirst };
    for (const each of [ofOne, ofTwo]) {
      await sendTo(each, { ...load, seconds: WARMING_SECONDS }, CLIENTS * 2);
    }
    const found: [one: WorkersRound, two: WorkersRound][] = [];
    for (let round = 0; round < rounds; round += 1) {
      found.push([await oneRound(ofOne, load), await twoRound(ofTwo, load, round)]);
    }
    rows.push(rowOf(name, found));
  }
  return rows;
}

interface Place {
  pid: number;
  origin: string;
  forget: () => void;
}

interface Load {
  requests: readonly LoadRequest[];
  seconds: number;
  isFirst: true | undefined;
}

async function sendTo(
  place: Place,
  { isFirst, ...load }: Load,
  clients: number,
): Promise<LoadFigures> {
  const forget = isFirst === true ? place.forget : undefined;
  return await sendLoad({ ...load, origin: place.origin, clients, forget });
}

async function oneRound(place: Place, load: Load): Promise<WorkersRound> {
  const { pid } = place;
  const before = cpuSecondsOf(pid);
  const { requests, perSecond, failures } = await sendTo(place, load, CLIENTS);
  const total = ((cpuSecondsOf(pid) - before) * 1e6) / requests;
  return { perSecond, total, first: 0, failures };
}

async function twoRound(place: Place, load: Load, round: number): Promise<WorkersRound> {
  const together = await sendTo(place, load, CLIENTS * 2);
  const workers = childrenOf(place.pid);
  const suspended = workers[round % workers.length];
  if (suspended === undefined) throw new Error("There are no workers");
  process.kill(suspended, "SIGSTOP");
  try {
    const pids = [place.pid, ...workers];
    const before = pids.map(cpuSecondsOf);
    // One more client, which waits for the suspended worker. That worker gets no more until it accepts the
    // connection.
    const alone = await sendTo(place, load, CLIENTS + 1);
    const each = pids.map(
      (pid, at) => ((cpuSecondsOf(pid) - (before[at] ?? 0)) * 1e6) / alone.requests,
    );
    return {
      perSecond: together.perSecond,
      total: each.reduce((sum, one) => sum + one),
      first: each[0] ?? 0,
      failures: together.failures + alone.failures,
    };
  } finally {
    process.kill(suspended, "SIGCONT");
  }
}

function rowOf(name: string, rounds: readonly [WorkersRound, WorkersRound][]): WorkersRow {
  const ratios = rounds.map(([one, two]) => one.total / Math.max(two.total / 2, two.first));
  const of = (at: 0 | 1, figure: keyof WorkersRound) =>
    rounded(median(rounds.map((round) => round[at][figure])), 10);
  return {
    what: name,
    cpuMicroseconds: [of(0, "total"), of(1, "total")],
    firstMicroseconds: of(1, "first"),
    ratio: rounded(median(ratios), 100),
    bar: BAR,
    perSecond: [of(0, "perSecond"), of(1, "perSecond")],
    failures: rounds.reduce((sum, [one, two]) => sum + one.failures + two.failures, 0),
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .map(Number);
}
