import { purgeOldResponses } from "../access/idempotent-responses.ts";
import { sendKeyExpiryReminders } from "../access/keys/key-reminders.ts";
import { sendDigests } from "../access/people/digests.ts";
import { purgeExpiredSignInData } from "../access/people/purging.ts";
import { purgeOldStatistics } from "../access/statistics.ts";
import { eraseOldSubmissions, expireClaimCodes } from "../access/submissions/retention.ts";
import { publishDueDrafts } from "../content/drafts/publishing-drafts.ts";
import { archiveExpiredItems, publishDueItems } from "../content/editing/publishing.ts";
import { purgeDeletedItems } from "../content/editing/purging.ts";
import type { MediaFileStorage } from "../content/media/media.ts";
import {
  deleteExpiredTrash,
  trashUnknownFiles,
  trashWithdrawnFiles,
} from "../content/media/media-clearing.ts";
import { abandonUnsendableMails } from "../mail/sending/mail-queue.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import type { JobFiles } from "../transfer/job.ts";
import { pruneJobs } from "../transfer/job-queue.ts";
import { pruneDeliveries } from "../webhooks/queue.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";
import type { ClockTaskKind, TrustedTime } from "../work/trusted-time.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;

interface ClockTask {
  kind: ClockTaskKind;
  run(now: Date): Promise<unknown>;
}

export interface ClockTaskDependencies {
  record: OpenRecord;
  mediaFiles: MediaFileStorage;
  jobFiles: JobFiles;
  /** Whether mail is configured. */
  sendsMail: boolean;
  workers: readonly BackgroundWorker[];
  saveCounts: () => Promise<void>;
  removeSetupFile: () => Promise<void>;
}

/**
 * Returns all scheduled tasks. Each task's `kind` decides whether the task may run while the
 * system's time is in doubt.
 */
export function createClockTasks(parts: ClockTaskDependencies): readonly ClockTask[] {
  const { record, mediaFiles, jobFiles: files, sendsMail, workers } = parts;
  const { content, idempotentResponses, media, webhooks, jobs, outbox, changeLog } = record;
  return [
    { kind: "publishes", run: (now) => publishDueItems(content, now) },
    { kind: "publishes", run: (now) => archiveExpiredItems(content, now) },
    { kind: "publishes", run: (now) => publishDueDrafts(record, now) },
    { kind: "destroys", run: (now) => purgeDeletedItems(content, now) },
    { kind: "destroys", run: (now) => purgeOldResponses(idempotentResponses, now) },
    { kind: "counts", run: parts.saveCounts },
    { kind: "counts", run: parts.removeSetupFile },
    { kind: "destroys", run: hourly((now) => purgeOldStatistics(record, now)) },
    // The next two tasks need a trusted clock, because they date files in the trash. The date decides when a
    // file is deleted.
    { kind: "publishes", run: (now) => trashWithdrawnFiles(media, mediaFiles, now) },
    { kind: "publishes", run: hourly((now) => trashUnknownFiles(media, mediaFiles, now)) },
    { kind: "destroys", run: hourly((now) => mediaFiles.removeAbandonedUploads(now)) },
    { kind: "destroys", run: hourly((now) => deleteExpiredTrash(media, mediaFiles, now)) },
    { kind: "destroys", run: (now) => expireClaimCodes(record, now) },
    { kind: "destroys", run: hourly((now) => eraseOldSubmissions(record, now)) },
    { kind: "destroys", run: hourly((now) => purgeExpiredSignInData(record, now)) },
    { kind: "destroys", run: hourly((now) => record.previewCodes.removeExpired(now)) },
    { kind: "destroys", run: hourly((now) => record.presence.removeBefore(dayBefore(now))) },
    { kind: "destroys", run: async () => await changeLog?.prune() },
    { kind: "destroys", run: hourly((now) => pruneDeliveries(webhooks, now)) },
    { kind: "destroys", run: hourly((now) => pruneJobs({ jobs, files }, now)) },
    // Needs no trusted clock, because abandoned files are recognised by their locks, not by age.
    { kind: "counts", run: hourly(() => files.clearAbandoned()) },
    {
      kind: "destroys",
      run: hourly(async (now) => {
        if (!sendsMail) await abandonUnsendableMails(outbox, now);
      }),
    },
    {
      kind: "publishes",
      run: hourly(async (now) => {
        if (sendsMail) await sendKeyExpiryReminders(record, record.origin, now);
      }),
    },
    {
      kind: "publishes",
      run: hourly(async (now) => {
        if (sendsMail) await sendDigests(record, record.origin, now);
      }),
    },
    ...workers.map((worker) => ({ kind: "sends", run: () => worker.work() }) as const),
  ];
}

/**
 * Returns functions to run one after another. The first reads the clock. Each of the others runs
 * one task, or does nothing while the system's time cannot be trusted for the task's `kind`.
 */
export function createTrustedTimeTasks(
  time: TrustedTime,
  tasks: readonly ClockTask[],
): readonly (() => Promise<unknown>)[] {
  let now = new Date(0);
  const readClock = async () => {
    now = await time.check();
  };
  const trusted = tasks.map(({ kind, run }) => async () => {
    if (time.allows(kind)) await run(now);
  });
  return [readClock, ...trusted];
}

function dayBefore(now: Date): Date {
  return new Date(now.getTime() - 24 * HOUR_MILLISECONDS);
}

function hourly(run: (now: Date) => Promise<unknown>): (now: Date) => Promise<void> {
  let dueAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    if (performance.now() < dueAt) return;
    await run(now);
    dueAt = performance.now() + HOUR_MILLISECONDS;
  };
}
