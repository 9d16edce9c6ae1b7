import type { Server } from "node:http";
import type { ReadingCopy } from "../content/library.ts";
import { isTransientError } from "../errors.ts";
import type { HealthFinding } from "../health/finding.ts";
import type { ReplicaStatus } from "../http/dependencies.ts";
import { createMetricsServer } from "../http/metrics.ts";
import { countLostLogLines, type Log } from "../log.ts";
import { ResponseCounts } from "../metrics/counts.ts";
import type { MetricSample } from "../metrics/histogram.ts";
import { ProcessMetrics } from "../metrics/process-load.ts";
import { escapeLabelValue, formatPrometheusText } from "../metrics/text.ts";
import type { DamageRegister } from "../storage/integrity/damage-register.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { uncaughtExceptionCount } from "../uncaught-exceptions.ts";
import { VERSION } from "../version.ts";

const HEALTH_VALUES = { good: 0, warn: 1, bad: 2 } as const;

export interface MetricsSources {
  reading: Pick<ReadingCopy, "counts">;
  record: Pick<OpenRecord, "backlog">;
  replicaStatus: () => ReplicaStatus | null;
  damages: Pick<DamageRegister, "isDamaged" | "found">;
  /** State of the system's clock; null: another process runs the scheduled tasks. */
  time: { jumps: number; isTrusted: boolean } | null;
  log: Log;
}

/** Metrics of a serving process. */
export class ServiceMetrics {
  readonly counts = new ResponseCounts();
  readonly #load = new ProcessMetrics();
  #findings: readonly Pick<HealthFinding, "check" | "state">[] = [];
  readonly #parts: MetricsSources;

  constructor(parts: MetricsSources) {
    this.#parts = parts;
  }

  /** Samples that are summed over all processes. */
  readonly processSamples = (): readonly MetricSample[] => {
    this.#load.watch();
    return [
      ...this.counts.samples(),
      ["commonplace_faults_survived_total", uncaughtExceptionCount()],
      ["commonplace_log_lines_lost_total", countLostLogLines()],
      ["commonplace_damage_found_total", this.#parts.damages.found],
      ...this.#load.samples(),
    ];
  };

  /** The metrics server. It requires no key. `others` returns the samples of the other processes. */
  server(others: () => readonly MetricSample[]): Server {
    return createMetricsServer(() => this.text(others()), this.#parts.log);
  }

  /** The metrics in Prometheus format. `others`: samples of the other processes. */
  readonly text = async (others: readonly MetricSample[] = []): Promise<string> => {
    const sums = new Map<string, number>();
    for (const [series, value] of [...this.processSamples(), ...others]) {
      sums.set(series, (sums.get(series) ?? 0) + value);
    }
    const samples = [
      [`commonplace_info{version="${VERSION}"}`, 1] as const,
      ...sums,
      ...this.#published(),
      ...this.#replica(),
      ...this.#damaged(),
      ...this.#clock(),
      ...this.#health(),
      ...(await this.#waiting()),
    ];
    return formatPrometheusText(samples);
  };

  /**
   * Called with the findings of each health check. The health samples are made from the latest
   * findings. Before the first check, there are no health samples.
   */
  readonly noteFindings = (findings: readonly Pick<HealthFinding, "check" | "state">[]): void => {
    this.#findings = findings;
  };

  stop(): void {
    this.#load.stop();
  }

  #published(): MetricSample[] {
    return Object.entries(this.#parts.reading.counts()).map(([type, items]) => [
      `commonplace_items_published{type="${escapeLabelValue(type)}"}`,
      items,
    ]);
  }

  #damaged(): MetricSample[] {
    const { damages } = this.#parts;
    return (["reading copy", "record"] as const).map((part) => [
      `commonplace_damaged{part="${part}"}`,
      damages.isDamaged(part) ? 1 : 0,
    ]);
  }

  /** @returns no samples when record and reading copy share a file. */
  #replica(): MetricSample[] {
    const replicaStatus = this.#parts.replicaStatus();
    if (replicaStatus === null) return [];
    return [
      ["commonplace_database_reachable", replicaStatus.isReachable ? 1 : 0],
      ["commonplace_reading_current", replicaStatus.isCurrent ? 1 : 0],
      ["commonplace_reading_position", replicaStatus.position],
      ["commonplace_reading_lag_seconds", replicaStatus.lagSeconds],
    ];
  }

  #clock(): MetricSample[] {
    const { time } = this.#parts;
    if (time === null) return [];
    return [
      ["commonplace_clock_jumps_total", time.jumps],
      ["commonplace_clock_steady", time.isTrusted ? 1 : 0],
    ];
  }

  #health(): MetricSample[] {
    return this.#findings.map(({ check, state }) => [
      `commonplace_health{check="${check}"}`,
      HEALTH_VALUES[state],
    ]);
  }

  async #waiting(): Promise<MetricSample[]> {
    try {
      const queues = Object.entries(await this.#parts.record.backlog());
      return queues.map(([queue, { waiting }]) => [
        `commonplace_waiting{queue="${queue}"}`,
        waiting,
      ]);
    } catch (error) {
      if (isTransientError(error)) return [];
      throw error;
    }
  }
}
