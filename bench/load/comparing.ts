import type { MeasuredProcess } from "./process.ts";
import { type Load, type LoadFigures, sendLoad } from "./wrk.ts";

export interface Round extends LoadFigures {
  cpuMicroseconds: number;
}

/** A row of the table: medians over the rounds. */
export interface Row {
  what: string;
  perSecond: number;
  cpuMicroseconds: number;
  bareMicroseconds: number;
  /** Computed for each round, because other load on the machine slows both sides of a round alike. */
  ratio: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  failures: number;
  bar?: string;
}

/** Runs rounds in which both sides take turns, after one that warms up both. */
export async function compareCosts(
  rounds: number,
  ours: () => Promise<Round>,
  bareMicroseconds: () => Promise<number>,
): Promise<Omit<Row, "what" | "bar">> {
  const all: { round: Round; bare: number }[] = [];
  for (let number = 0; number <= rounds; number += 1) {
    const bare = await bareMicroseconds();
    all.push({ round: await ours(), bare });
  }
  const warm = all.slice(1);
  const of = (figure: keyof Round) => median(warm.map(({ round }) => round[figure]));
  return {
    perSecond: Math.round(of("perSecond")),
    cpuMicroseconds: rounded(of("cpuMicroseconds"), 10),
    bareMicroseconds: rounded(median(warm.map(({ bare }) => bare)), 10),
    ratio: rounded(median(warm.map(({ round, bare }) => round.cpuMicroseconds / bare)), 100),
    p50Milliseconds: rounded(of("p50Milliseconds"), 100),
    p99Milliseconds: rounded(of("p99Milliseconds"), 100),
    failures: all.reduce((sum, { round }) => sum + round.failures, 0),
  };
}

/** The cost of a second or more of requests to a process. */
export async function measureRound(
  process: Pick<MeasuredProcess, "cpuSeconds">,
  load: Load,
): Promise<Round> {
  const before = process.cpuSeconds();
  const figures = await sendLoad(load);
  const cpuMicroseconds = ((process.cpuSeconds() - before) * 1e6) / figures.requests;
  return { ...figures, cpuMicroseconds };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
