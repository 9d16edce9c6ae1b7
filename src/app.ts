import { setMaxListeners } from "node:events";
import { startBackground } from "./app/background.ts";
import { openDoors } from "./app/doors.ts";
import type { App, AppOptions } from "./app/options.ts";
import { openReading } from "./app/reading.ts";
import { ServiceMetrics } from "./app/service-metrics.ts";
import { openFiles, openRecordOf } from "./app/store.ts";
import { openTallies } from "./app/tallies.ts";
import { openTrustedTime } from "./app/time.ts";
import { openWorkers } from "./app/workers.ts";
import type { Config } from "./config.ts";
import { VERSION } from "./version.ts";

/** The whole service on the record that the settings name; the only file that knows all parts. */
export async function openApp(config: Config, options: AppOptions): Promise<App> {
  const { log, now = () => new Date(), seed, onProgress = () => {}, rateLimits } = options;
  // Closed in reverse order: by `close`, or at once if a later part cannot be opened.
  await using opened = new AsyncDisposableStack();
  const ending = new AbortController();
  const use = rateLimits === undefined ? "serve" : "shared";
  const opening = { use, seed, log, onProgress, ending: ending.signal } as const;
  const record = opened.use(await openRecordOf(config, opening));
  opened.defer(() => ending.abort());
  await record.replica?.current();
  const { reading, damages, repair, ...copy } = opened.use(await openReading(config, record, log));
  const tallies = await openTallies(record, { rateLimits, now });
  const time = await openTrustedTime(record, options);
  const replicaStatus = () => record.replica?.state() ?? null;
  const backlog = () => record.backlog();
  const metrics = new ServiceMetrics({ reading, backlog, replicaStatus, damages, time, log });
  opened.defer(() => metrics.stop());
  const { workers: fileWorkers, ...files } = openFiles(config, record, log);
  const draining = new AbortController();
  setMaxListeners(0, draining.signal);
  const { origin } = config;
  const { meaningProgress } = copy;
  const shared = { origin, version: VERSION, now, log, draining: draining.signal };
  const common = { reading, ...files, meaningProgress, ...shared };
  const queues = openWorkers(record, { ...common, time }, config);
  const workers = [...queues, ...copy.workers, ...fileWorkers];
  const doors = await openDoors(record, {
    common,
    ...tallies,
    metrics,
    replicaStatus,
    damages,
    config,
  });
  opened.use(startBackground(record, { common, config, tallies, workers, repair, time }));
  // Before all others, as what waits for the record would wait for its time limits.
  opened.defer(() => ending.abort());
  const parts = opened.move();
  const close = () => parts.disposeAsync();
  const { counting, rateLimits: limits } = tallies;
  const drain = () => draining.abort();
  const own = { record, reading, counting, rateLimits: limits, metrics };
  return { ...own, ...doors, drain, close, [Symbol.asyncDispose]: close };
}
