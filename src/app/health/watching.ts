import { isTransientError } from "../../errors.ts";
import type { HealthFinding } from "../../health/finding.ts";
import type { MeasureHealth } from "../../health/health.ts";
import { judgeHealth } from "../../health/judging.ts";
import { reportHealthChanges } from "../../health/reporting.ts";
import type { Log } from "../../log.ts";
import { RepeatedErrorLogger } from "../../repeated-error-logger.ts";
import type { OpenRecord } from "../../storage/record/stores.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";

const INTERVAL_MILLISECONDS = 5 * 60 * 1000;

export interface HealthMonitorDependencies {
  record: OpenRecord;
  measure: MeasureHealth;
  now: () => Date;
  /** Milliseconds of a monotonic clock. */
  monotonic?: () => number;
  sendsMail: boolean;
  /** Receives the findings of each check. */
  noteFindings(findings: readonly HealthFinding[]): void;
  /** Name of this machine if several share one record; null: there is only one. */
  machine: string | null;
  log: Log;
}

/** Checks the health of the site every five minutes and reports when it gets worse. */
export class HealthMonitor implements BackgroundWorker {
  readonly #parts: HealthMonitorDependencies;
  readonly #monotonic: () => number;
  readonly #repeated: RepeatedErrorLogger;
  #dueAt: number;
  #running: Promise<void> | null = null;

  constructor(parts: HealthMonitorDependencies) {
    this.#parts = parts;
    this.#monotonic = parts.monotonic ?? (() => performance.now());
    this.#repeated = new RepeatedErrorLogger(parts.log);
    this.#dueAt = this.#monotonic() + INTERVAL_MILLISECONDS;
  }

  /**
   * Starts a check without waiting for it. A check waits for the network and would delay other scheduled
   * tasks.
   */
  async work(): Promise<void> {
    if (this.#running !== null || this.#monotonic() < this.#dueAt) return;
    this.#dueAt = this.#monotonic() + INTERVAL_MILLISECONDS;
    this.#running = this.#check().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    await this.#running;
  }

  async #check(): Promise<void> {
    const { record, measure, noteFindings, sendsMail, machine } = this.#parts;
    const now = this.#parts.now();
    try {
      const findings = judgeHealth(await measure(now), now);
      noteFindings(findings);
      await reportHealthChanges(record, findings, {
        now,
        origin: record.origin,
        sendsMail,
        machine,
      });
    } catch (error) {
      // Does not log transient errors: the next check reports the findings that could not be
      // stored.
      if (!isTransientError(error)) this.#repeated.failed("A health check failed", error);
    }
  }
}
