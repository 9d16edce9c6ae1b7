import { setMaxListeners } from "node:events";
import { Counting } from "./access/counting.ts";
import { type RateLimiter, RateLimits } from "./access/rate-limits.ts";
import { clockTasks, trustedTasks } from "./app/clock-tasks.ts";
import type { SharedParts } from "./app/door-parts.ts";
import { type OpenDoors, openDoors } from "./app/doors.ts";
import { openReading } from "./app/reading.ts";
import { ServiceMetrics } from "./app/service-metrics.ts";
import { openFiles, openRecordOf, type Seed } from "./app/store.ts";
import type { Config } from "./config.ts";
import type { ReadingCopy } from "./content/library.ts";
import { isTransient } from "./errors.ts";
import type { Log } from "./log.ts";
import { mailQueue } from "./mail/sending/mail-queue.ts";
import { smtpDelivery } from "./mail/sending/smtp.ts";
import type { OpenRecord } from "./storage/record/stores.ts";
import { jobQueue } from "./transfer/job-queue.ts";
import { VERSION } from "./version.ts";
import { webhookQueue } from "./webhooks/sending/webhook-queue.ts";
import { startClock } from "./work/clock.ts";
import { type BackgroundWorker, QueueWorker } from "./work/queue-worker.ts";
import { TrustedTime } from "./work/trusted-time.ts";

export interface App extends OpenDoors, AsyncDisposable {
  record: OpenRecord;
  reading: ReadingCopy;
  counting: Counting;
  /** Decides for this process and those that ask it. */
  rateLimits: RateLimiter;
  metrics: Pick<ServiceMetrics, "server" | "processSamples">;
  /** Has requests that may take long end in order, before the server stops. */
  drain(): void;
  /** Lets go of the store once what is under way has ended; the server must have stopped before. */
  close(): Promise<void>;
}

export interface AppOptions {
  log: Log;
  now?: () => Date;
  /** Milliseconds of a clock that nobody sets; where only `now` is given, it follows that. */
  monotonic?: () => number;
  /** Makes the site where there never was one; without it such a place is refused. */
  seed?: Seed;
  onProgress?: (done: number, total: number) => void;
  /**
   * For a process beside a first one, which keeps the limits for all: how that is asked. What the
   * clock does is left to the first.
   */
  rateLimits?: RateLimiter;
}

/** The whole service on the record that the settings name. */
export async function openApp(config: Config, options: AppOptions): Promise<App> {
  const { log, seed, onProgress = () => {} } = options;
  const ending = new AbortController();
  const use = options.rateLimits === undefined ? "serve" : "shared";
  const opening = { use, seed, log, onProgress, ending: ending.signal } as const;
  const record = await openRecordOf(config, opening);
  try {
    return await appOn(record, config, { ...options, ending });
  } catch (error) {
    // What stays connected would keep the process from ending.
    ending.abort();
    await record.close();
    throw error;
  }
}

/** The only place that knows all parts. `ending` is aborted a moment before the record is closed. */
async function appOn(
  record: OpenRecord,
  config: Config,
  options: AppOptions & { ending: AbortController },
): Promise<App> {
  const { log, now = () => new Date(), rateLimits: asked, ending } = options;
  const evenly = options.now === undefined ? () => performance.now() : () => now().getTime();
  const { monotonic = evenly } = options;
  await record.following?.current();
  const opened = await openReading(config, record, log);
  const { reading, damages, repair, meaningProgress } = opened;
  const ownLimits = new RateLimits();
  await ownLimits.restore(record.rateWindows, now().getTime());
  const rateLimits = asked ?? record.rateLimits ?? ownLimits;
  const counting = new Counting(record, now);
  const replicaStatus = () => record.following?.state() ?? null;
  const backlog = () => record.backlog();
  const timeParts = { store: record.seenTime, now, monotonic, log };
  const time = asked === undefined ? await TrustedTime.open(timeParts) : null;
  const metrics = new ServiceMetrics({ reading, backlog, replicaStatus, damages, time, log });
  const { workers: fileWorkers, ...files } = openFiles(config, record, log);
  const { origin } = config;
  const draining = new AbortController();
  setMaxListeners(0, draining.signal);
  const common = {
    ...{ reading, ...files, origin, version: VERSION, now, log, meaningProgress },
    draining: draining.signal,
  };
  const isTimeTrusted = () => time?.isSteady ?? false;
  const own = openWorkers(record, { ...common, isTimeTrusted }, config);
  const workers = [...own, ...opened.workers, ...fileWorkers];
  const doorOptions = { common, rateLimits, counting, metrics, replicaStatus, damages, config };
  const doors = await openDoors(record, doorOptions);

  const keepCounts = async () => {
    await ownLimits.save(record.rateWindows, now().getTime());
    await record.keys.saveUse();
    await counting.keep();
  };
  const { mail } = config;
  const taskParts = { record, ...files, sendsMail: mail !== null, workers, keepCounts };
  const tasks = time === null ? [keepCounts] : trustedTasks(time, clockTasks(taskParts));
  const mend = () => repair.work();
  const clock = startClock([mend, ...tasks], log);
  const close = async () => {
    ending.abort();
    await clock.stop();
    metrics.stop();
    await Promise.all([...workers, repair].map((worker) => worker.stop()));
    const keepAll = async () => {
      await keepCounts();
      await time?.save();
    };
    await keepAll().catch((error: unknown) => {
      if (!isTransient(error)) throw error;
      log.warn({ fault: error.message }, "What was counted in the last second is lost");
    });
    await opened.close();
    await record.close();
  };
  return {
    ...{ record, reading, counting, rateLimits, metrics },
    ...doors,
    drain: () => draining.abort(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What takes longer than a tick of the clock. */
function openWorkers(
  record: OpenRecord,
  common: SharedParts & { isTimeTrusted: () => boolean },
  { webhookPrivateNetworks: privateNetworks, mail }: Config,
): readonly BackgroundWorker[] {
  const { webhooks, jobs, content, tryOut, keys, snapshot, outbox } = record;
  const { jobFiles: files, reading, now, log } = common;
  const deliver = mail === null ? null : smtpDelivery(mail);
  /** The address the site names for contact, unless another is set. */
  const sender = () => {
    const { name, contact } = reading.site();
    return { name, email: mail?.from ?? contact.email };
  };
  return [
    new QueueWorker(webhookQueue({ ...common, webhooks, privateNetworks }), log),
    new QueueWorker(jobQueue({ jobs, files, content, tryOut, keys, snapshot, now, log }), log),
    new QueueWorker(mailQueue({ outbox, deliver, sender, now, log }), log),
  ];
}
