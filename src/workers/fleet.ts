import cluster, { type Worker } from "node:cluster";
import type { RateLimiter } from "../access/rate-limits.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { Log } from "../log.ts";
import { serveRateLimits } from "./remote-rate-limits.ts";

/**
 * Minimum interval between two starts of a worker. Without it, a worker that always fails would use all CPU
 * time.
 */
const START_INTERVAL_MILLISECONDS_MIN = 1000;

export interface WorkerFleetOptions {
  size: number;
  /** Environment variables of the workers, in addition to those of this process. */
  environment: Readonly<Record<string, string>>;
  rateLimits: RateLimiter;
  /**
   * Seconds after which a stopping worker is killed. Must exceed the time that a worker needs to drain
   * and to finish its requests.
   */
  stopSecondsMax: number;
  log: Log;
}

export interface WorkerFleet {
  /** Drains all workers; resolves when they have exited. */
  stop(): Promise<void>;
}

/**
 * Starts worker processes that run the same command and share one port. Resolves when all workers
 * listen. A worker that exits unexpectedly is replaced.
 *
 * @throws {AppError} `unavailable` when a worker exits before it listens.
 */
export async function startWorkerFleet({
  size,
  environment,
  rateLimits,
  stopSecondsMax,
  log,
}: WorkerFleetOptions): Promise<WorkerFleet> {
  const workers = new Set<Worker>();
  let isStopping = false;
  const start = (): Worker => {
    const worker = cluster.fork(environment);
    const startedAt = performance.now();
    workers.add(worker);
    serveRateLimits(worker, rateLimits, Date.now);
    worker.once("listening", () => log.info({ worker: worker.process.pid }, "A worker listens"));
    const replace = (fault: object) => {
      // Handles each worker only once: a failed start emits only `error`, but a disconnection emits
      // both `error` and `exit`.
      if (!workers.delete(worker) || isStopping) return;
      log.error({ worker: worker.process.pid, ...fault }, "A worker ended and is replaced");
      setTimeout(
        restart,
        Math.max(0, startedAt + START_INTERVAL_MILLISECONDS_MIN - performance.now()),
      );
    };
    worker.once("exit", (code, signal) => replace({ code, signal }));
    worker.on("error", (err) => replace({ err }));
    return worker;
  };
  const restart = () => {
    if (isStopping) return;
    try {
      start();
    } catch (err) {
      log.error({ err }, "A worker cannot be started; trying again");
      setTimeout(restart, START_INTERVAL_MILLISECONDS_MIN);
    }
  };
  const stop = async () => {
    isStopping = true;
    await Promise.all([...workers].map((worker) => waitForExit(worker, stopSecondsMax * 1000)));
  };
  try {
    await Promise.all(Array.from({ length: size }, () => waitUntilListening(start())));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

async function waitUntilListening(worker: Worker): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    worker.once("listening", () => resolve());
    worker.once("exit", () => {
      const message = "Cannot start: a worker ended before it listened; it has said why";
      reject(new AppError("unavailable", englishOnlyWording(message)));
    });
  });
}

async function waitForExit(worker: Worker, millisecondsMax: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const killTimer = setTimeout(() => worker.process.kill("SIGKILL"), millisecondsMax);
    worker.once("exit", () => {
      clearTimeout(killTimer);
      resolve();
    });
    worker.process.kill("SIGTERM");
  });
}
