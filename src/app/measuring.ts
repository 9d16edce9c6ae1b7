import type { Server } from "node:http";
import type { ReadingCopy } from "../content/library.ts";
import { isTransient } from "../errors.ts";
import { createMetricsServer } from "../http/metrics.ts";
import type { Standing } from "../http/parts.ts";
import { type Log, logLinesLost } from "../log.ts";
import { Counts } from "../metrics/counts.ts";
import type { Sample } from "../metrics/histogram.ts";
import { ProcessLoad } from "../metrics/process-load.ts";
import { labelValue, metricsText } from "../metrics/text.ts";
import { faultsSurvived } from "../process-faults.ts";
import type { Damages } from "../storage/integrity/damages.ts";
import type { Backlog } from "../storage/record/queues/backlog.ts";
import { VERSION } from "../version.ts";

export interface MeasuringParts {
  reading: Pick<ReadingCopy, "counts">;
  backlog: () => Promise<Backlog>;
  standing: () => Standing | null;
  damages: Pick<Damages, "isDamaged" | "found">;
  /** Null: another process runs what the clock does. */
  time: { jumps: number; isSteady: boolean } | null;
  log: Log;
}

/** What operators are told of a process that serves. */
export class Measuring {
  readonly counts = new Counts();
  readonly #load = new ProcessLoad();
  readonly #parts: MeasuringParts;

  constructor(parts: MeasuringParts) {
    this.#parts = parts;
  }

  /** What adds up over several processes. */
  readonly countable = (): readonly Sample[] => {
    this.#load.watch();
    return [
      ...this.counts.samples(),
      ["commonplace_faults_survived_total", faultsSurvived()],
      ["commonplace_log_lines_lost_total", logLinesLost()],
      ["commonplace_damage_found_total", this.#parts.damages.found],
      ...this.#load.samples(),
    ];
  };

  /** For a port without a key, with what other processes that answer here have counted. */
  server(others: () => readonly Sample[]): Server {
    return createMetricsServer(() => this.text(others()), this.#parts.log);
  }

  /** As Prometheus reads it. */
  readonly text = async (others: readonly Sample[] = []): Promise<string> => {
    const sums = new Map<string, number>();
    for (const [series, value] of [...this.countable(), ...others]) {
      sums.set(series, (sums.get(series) ?? 0) + value);
    }
    const samples = [
      [`commonplace_info{version="${VERSION}"}`, 1] as const,
      ...sums,
      ...this.#published(),
      ...this.#following(),
      ...this.#damaged(),
      ...this.#clock(),
      ...(await this.#waiting()),
    ];
    return metricsText(samples);
  };

  stop(): void {
    this.#load.stop();
  }

  #published(): Sample[] {
    return Object.entries(this.#parts.reading.counts()).map(([type, items]) => [
      `commonplace_items_published{type="${labelValue(type)}"}`,
      items,
    ]);
  }

  #damaged(): Sample[] {
    const { damages } = this.#parts;
    return (["reading copy", "record"] as const).map((part) => [
      `commonplace_damaged{part="${part}"}`,
      damages.isDamaged(part) ? 1 : 0,
    ]);
  }

  /** Nothing where the reading copy stands in the same file as the record. */
  #following(): Sample[] {
    const standing = this.#parts.standing();
    if (standing === null) return [];
    return [
      ["commonplace_database_reachable", standing.isReachable ? 1 : 0],
      ["commonplace_reading_current", standing.isCurrent ? 1 : 0],
      ["commonplace_reading_position", standing.position],
      ["commonplace_reading_lag_seconds", standing.lagSeconds],
    ];
  }

  #clock(): Sample[] {
    const { time } = this.#parts;
    if (time === null) return [];
    return [
      ["commonplace_clock_jumps_total", time.jumps],
      ["commonplace_clock_steady", time.isSteady ? 1 : 0],
    ];
  }

  async #waiting(): Promise<Sample[]> {
    try {
      const waiting = Object.entries(await this.#parts.backlog());
      return waiting.map(([queue, count]) => [`commonplace_waiting{queue="${queue}"}`, count]);
    } catch (error) {
      if (isTransient(error)) return [];
      throw error;
    }
  }
}
