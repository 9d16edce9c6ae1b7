import type { Config } from "../config.ts";
import { mailQueue } from "../mail/sending/mail-queue.ts";
import { smtpDelivery } from "../mail/sending/smtp.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { jobQueue } from "../transfer/job-queue.ts";
import { webhookQueue } from "../webhooks/sending/webhook-queue.ts";
import { type BackgroundWorker, QueueWorker } from "../work/queue-worker.ts";
import type { TrustedTime } from "../work/trusted-time.ts";
import type { SharedParts } from "./door-parts.ts";

/** One worker for each queue of the record. */
export function openWorkers(
  record: OpenRecord,
  common: SharedParts & { time: TrustedTime | null },
  { webhookPrivateNetworks: privateNetworks, mail }: Config,
): readonly BackgroundWorker[] {
  const { webhooks, jobs, content, dryRun, keys, admins, snapshot, outbox } = record;
  const { jobFiles: files, reading, now, log, time } = common;
  const isTimeTrusted = () => time?.isSteady ?? false;
  const deliver = mail === null ? null : smtpDelivery(mail);
  /** The site's contact address, unless another is set. */
  const sender = () => {
    const { name, contact } = reading.site();
    return { name, email: mail?.from ?? contact.email };
  };
  return [
    new QueueWorker(webhookQueue({ ...common, isTimeTrusted, webhooks, privateNetworks }), log),
    new QueueWorker(
      jobQueue({ jobs, files, content, dryRun, keys, admins, snapshot, now, log }),
      log,
    ),
    new QueueWorker(mailQueue({ outbox, deliver, sender, now, log }), log),
  ];
}
