import { setMaxListeners } from "node:events";
import { startBackgroundWork } from "./app/background.ts";
import { openConfiguredDeskIndex } from "./app/desk.ts";
import { openDoors } from "./app/doors.ts";
import { createCheckResults, createHealthMeasurer } from "./app/health/measuring.ts";
import type { App, AppOptions } from "./app/options.ts";
import { openRateLimitsAndUsageCounts } from "./app/rate-limits-and-usage-counts.ts";
import { openReadingCopyWithSearch } from "./app/reading.ts";
import { ServiceMetrics } from "./app/service-metrics.ts";
import { openConfiguredRecord, openFileStores } from "./app/store.ts";
import { openTrustedTime } from "./app/time.ts";
import { openQueueWorkers } from "./app/workers.ts";
import type { Config } from "./config.ts";
import { DamageRegister } from "./storage/integrity/damage-register.ts";
import { VERSION } from "./version.ts";

/** Opens the whole service with the record that `config` names. This file connects the folders of `src/`. */
export async function openApp(config: Config, options: AppOptions): Promise<App> {
  const { log, now = () => new Date(), seed, onProgress = () => {}, firstProcess } = options;
  const { makeBackup = null } = options;
  // Closes the parts in reverse order: on `close`, or when a later part fails to open.
  await using opened = new AsyncDisposableStack();
  const closing = new AbortController();
  const use = firstProcess === undefined ? "serve" : "shared";
  const opening = { use, seed, log, onProgress, stopSignal: closing.signal } as const;
  const damages = opened.use(new DamageRegister(log, firstProcess));
  const record = opened.use(await openConfiguredRecord(config, opening));
  opened.defer(() => closing.abort());
  await record.replica?.untilCurrent();
  const reads = await openReadingCopyWithSearch(config, record, { ...options, damages });
  const { reading, repair, ...copy } = opened.use(reads);
  const limitsAndCounts = await openRateLimitsAndUsageCounts(record, { firstProcess, now });
  const time = await openTrustedTime(record, options);
  const replicaStatus = () => record.replica?.state() ?? null;
  const metrics = new ServiceMetrics({ record, reading, replicaStatus, damages, time, log });
  const checks = createCheckResults(damages, time ?? firstProcess);
  const measureHealth = createHealthMeasurer({ config, record, replicaStatus, checks });
  opened.defer(() => metrics.stop());
  const deskIndex = opened.use(openConfiguredDeskIndex(config, record, options));
  const { workers: fileWorkers, ...files } = openFileStores(config, record, { log });
  opened.defer(() => files.sharePictures.stop());
  const draining = new AbortController();
  setMaxListeners(0, draining.signal);
  const { meaningProgress } = copy;
  const shared = { origin: config.origin, version: VERSION, now, log, draining: draining.signal };
  const common = { reading, deskIndex, ...files, meaningProgress, ...shared };
  const monitoring = { metrics, replicaStatus, damages, measureHealth };
  const queues = openQueueWorkers(record, { ...common, ...monitoring, time, makeBackup }, config);
  const workers = [...queues, ...copy.workers, ...fileWorkers];
  const doors = await openDoors(record, { common, ...limitsAndCounts, ...monitoring, config });
  const background = { common, config, limitsAndCounts, workers, repair, time };
  opened.use(startBackgroundWork(record, background, options));
  // Registered last, so that it runs first: otherwise closing would wait for tasks that wait for the record.
  opened.defer(() => closing.abort());
  const parts = opened.move();
  const close = () => parts.disposeAsync();
  const drain = () => draining.abort();
  const own = { record, reading, deskIndex, ...limitsAndCounts, metrics, checks };
  return { ...own, ...doors, drain, close, [Symbol.asyncDispose]: close };
}
