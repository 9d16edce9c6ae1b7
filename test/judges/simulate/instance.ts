import { join } from "node:path";
import { authenticate } from "../../../src/access/keys/keys.ts";
import type { RateLimiter } from "../../../src/access/rate-limits.ts";
import { startBackgroundWork } from "../../../src/app/background.ts";
import { readingCopyFilePath } from "../../../src/app/data-folder.ts";
import { openRateLimitsAndUsageCounts } from "../../../src/app/rate-limits-and-usage-counts.ts";
import { openFileStores } from "../../../src/app/store.ts";
import { openTrustedTime } from "../../../src/app/time.ts";
import { readConfig } from "../../../src/config.ts";
import type { ReadingCopy } from "../../../src/content/library.ts";
import { AppError } from "../../../src/errors.ts";
import { createLog } from "../../../src/log.ts";
import { createMailQueue } from "../../../src/mail/sending/mail-queue.ts";
import type { DeliverMail } from "../../../src/mail/sending/smtp.ts";
import { DamageRegister } from "../../../src/storage/integrity/damage-register.ts";
import { ReadingCopyRepair } from "../../../src/storage/integrity/repair.ts";
import { openReadingCopy } from "../../../src/storage/reading/open.ts";
import { openRecord } from "../../../src/storage/record/open.ts";
import type { OpenRecord } from "../../../src/storage/record/stores.ts";
import { createJobQueue } from "../../../src/transfer/job-queue.ts";
import { createWebhookQueue } from "../../../src/webhooks/sending/webhook-queue.ts";
import { QueueWorker } from "../../../src/work/queue-worker.ts";
import type { TrustedTime } from "../../../src/work/trusted-time.ts";
import { type Operation, type Outcome, performOperation } from "./operations.ts";
import type { Receivers } from "./receivers.ts";

export const ORIGIN = "https://quotations.example";

export interface InstanceOptions {
  /** The data folder. */
  folder: string;
  databaseUrl: string | null;
  receivers: Receivers;
  /** Whether this process runs the clock and keeps the rate limits. */
  isFirst: boolean;
  onLine: (line: string) => void;
}

/** A process of the service, as the simulation uses it. */
export interface Instance {
  perform(operation: Operation, requestId: string): Promise<Outcome>;
  /** Whether a request with a key is accepted. */
  take(key: string): Promise<"accepted" | "limited" | "refused">;
  /** The position in the log of changes that this instance shows; null if record and copy share a file. */
  position(): number | null;
  jumps(): number;
  close(): Promise<void>;
}

/**
 * Opens the service as `app.ts` does, without its doors: the same record, copy, clock, tasks and queues.
 * Mails and webhooks go to the simulated receivers.
 */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const { folder, databaseUrl, isFirst, onLine } = options;
  const log = createLog("warn", onLine);
  const config = readConfig({
    DATA_DIR: folder,
    PUBLIC_URL: ORIGIN,
    SMTP_URL: "smtp://mail.example:25",
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  const file = readingCopyFilePath(config);
  const ending = new AbortController();
  const record = await openRecord({
    ...{ url: databaseUrl, file, origin: ORIGIN, log, stopSignal: ending.signal },
  });
  await record.replica?.untilCurrent();
  const reading = openReadingCopy({ file });
  const now = () => new Date();
  const limitsAndCounts = await openRateLimitsAndUsageCounts(record, {
    firstProcess: undefined,
    now,
  });
  const time = await openTrustedTime(record, { log });
  const files = openFileStores({ ...config, dataDir: join(folder, "files") }, record, { log });
  const workers = isFirst
    ? [...queuesOf(record, { ...options, reading, files, time, log }), ...files.workers]
    : [];
  const damages = new DamageRegister(log);
  const repair = new ReadingCopyRepair({
    damages,
    rebuild: () => record.rebuildReadingCopy(),
    log,
  });
  const common = {
    ...{ reading, ...files, origin: ORIGIN, version: "0", now, log, meaningProgress: () => null },
    draining: new AbortController().signal,
  };
  const background = startBackgroundWork(
    record,
    {
      ...{ common, config, limitsAndCounts, workers, repair },
      time: isFirst ? time : null,
    },
    {},
  );
  return {
    perform: async (operation, requestId) =>
      await performOperation({ record, files: files.jobFiles, now }, operation, requestId),
    async take(key) {
      return await takeTurn({ record, limits: limitsAndCounts.rateLimits, now }, key);
    },
    position: () => record.replica?.state().position ?? null,
    jumps: () => time?.jumps ?? 0,
    async close() {
      ending.abort();
      damages[Symbol.dispose]();
      await background[Symbol.asyncDispose]();
      reading[Symbol.dispose]();
      await record.close();
    },
  };
}

interface QueueParts {
  reading: ReadingCopy;
  receivers: Receivers;
  files: ReturnType<typeof openFileStores>;
  time: TrustedTime | null;
  log: ReturnType<typeof createLog>;
}

/** One worker for each queue, as in `app/workers.ts`. */
function queuesOf(record: OpenRecord, { receivers, files, time, reading, log }: QueueParts) {
  const { webhooks, jobs, content, dryRun, keys, admins, snapshot, outbox } = record;
  const now = () => new Date();
  const steadyNow = () => time?.steadyNow() ?? now();
  const isTimeTrusted = () => time?.isTrusted ?? false;
  const sender = () => ({ name: reading.site().name, email: reading.site().contact.email });
  const deliver: DeliverMail = (mail) => receivers.mail(mail);
  const posting = {
    ...{ webhooks, origin: ORIGIN, version: "0", privateNetworks: true },
    ...{ now, steadyNow, isTimeTrusted },
    post: receivers.webhook,
  };
  const { jobFiles, mediaFiles } = files;
  const job = { jobs, files: jobFiles, mediaFiles, content, dryRun, keys, admins, snapshot, log };
  const importFile = () => Promise.reject(new Error("Only lines are imported here"));
  const copyLiveSite = importFile;
  return [
    new QueueWorker(createWebhookQueue(posting), log),
    new QueueWorker(createJobQueue({ ...job, importFile, copyLiveSite, now, steadyNow }), log),
    new QueueWorker(createMailQueue({ outbox, deliver, sender, steadyNow, log }), log),
  ];
}

/** Checks the key first and then its rate, as the doors do. */
async function takeTurn(
  { record, limits, now }: { record: OpenRecord; limits: RateLimiter; now: () => Date },
  key: string,
): Promise<"accepted" | "limited" | "refused"> {
  try {
    const asking = { now: now(), address: "192.0.2.1" };
    const actor = await authenticate(record.keys, `Bearer ${key}`, asking);
    if (actor.kind !== "key") return "refused";
    const decision = await limits.take(actor.keyId, actor.ratePerMinute, now().getTime());
    return decision.accepted ? "accepted" : "limited";
  } catch (error) {
    if (error instanceof AppError) return "refused";
    throw error;
  }
}
