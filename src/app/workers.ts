import { hostname } from "node:os";
import type { Config } from "../config.ts";
import { createDocumentExistenceCheck } from "../discovery/document-lookup.ts";
import type { MeasureHealth } from "../health/health.ts";
import { createFileImporter } from "../importing/import-file.ts";
import { createSiteCopier } from "../importing/live-sites/live-site.ts";
import { createLinkQueue } from "../links/checking/link-queue.ts";
import { createMailQueue } from "../mail/sending/mail-queue.ts";
import { createSmtpDelivery } from "../mail/sending/smtp.ts";
import { pictureSizeQueue } from "../storage/media/sizes/size-queue.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { createJobQueue } from "../transfer/job-queue.ts";
import { VERSION } from "../version.ts";
import { createWebhookQueue } from "../webhooks/sending/webhook-queue.ts";
import { type BackgroundWorker, QueueWorker } from "../work/queue-worker.ts";
import type { TrustedTime } from "../work/trusted-time.ts";
import { type MakeBackup, ScheduledBackups } from "./backup/scheduling.ts";
import { jobsFolderPath } from "./data-folder.ts";
import type { SharedDoorDependencies } from "./door-dependencies.ts";
import { HealthMonitor } from "./health/watching.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import { createSiteRedirectOptions } from "./site/redirect-options.ts";

/** Pause between two requests to a live site while it is copied. */
const COPY_PAUSE_MILLISECONDS = 1000;

/** Time limit for fetching one file of a former site. */
const FETCH_MILLISECONDS_MAX = 60_000;

/** One worker for each queue of the record. */
export function openQueueWorkers(
  record: OpenRecord,
  common: SharedDoorDependencies & {
    time: TrustedTime | null;
    measureHealth: MeasureHealth;
    metrics: Pick<ServiceMetrics, "noteFindings">;
    makeBackup: MakeBackup | null;
  },
  config: Config,
): readonly BackgroundWorker[] {
  const { webhookPrivateNetworks: privateNetworks, mail, checkLinks } = config;
  const { webhooks, jobs, content, dryRun, desk, keys, admins, snapshot, outbox, media, links } =
    record;
  const { jobFiles: files, mediaFiles, pictureSizes: sizes, reading, now, log, time } = common;
  const steadyNow = () => time?.steadyNow() ?? now();
  const isTimeTrusted = () => time?.isTrusted ?? false;
  const timing = { steadyNow, isTimeTrusted };
  // Checks no links from a site without an https address, because such a site is not public.
  const checksLinks = checkLinks && common.origin.startsWith("https:");
  const hasDocument = createDocumentExistenceCheck(common);
  const sendsMail = mail !== null;
  const importFile = createFileImporter({
    ...{ media, mediaFiles, desk, addresses: createSiteRedirectOptions(config) },
    fetching: {
      userAgent: `Commonplace/${VERSION} (+${config.origin}; imports its site)`,
      ...{ privateNetworks, milliseconds: FETCH_MILLISECONDS_MAX, now },
    },
  });
  const copyLiveSite = createSiteCopier({
    folder: jobsFolderPath(config),
    ...{ version: VERSION, origin: config.origin, privateNetworks, now },
    pauseMilliseconds: COPY_PAUSE_MILLISECONDS,
  });
  const machine = record.replica === null ? null : hostname();
  const deliver = mail === null ? null : createSmtpDelivery(mail);
  // Mail comes from the site's contact address, unless another sender is configured.
  const sender = () => {
    const { name, contact } = reading.site();
    return { name, email: mail?.from ?? contact.email };
  };
  const { makeBackup } = common;
  const timeZone = () => reading.site().timeZone;
  return [
    ...(makeBackup === null
      ? []
      : [new ScheduledBackups({ config, timeZone, makeBackup, now, isTimeTrusted, log })]),
    new QueueWorker(createWebhookQueue({ ...common, ...timing, webhooks, privateNetworks }), log),
    new QueueWorker(
      createJobQueue({
        ...{ jobs, files, mediaFiles, importFile, copyLiveSite, content, dryRun, keys },
        ...{ admins, snapshot, now, steadyNow, log },
      }),
      log,
    ),
    new QueueWorker(createMailQueue({ outbox, deliver, sender, steadyNow, log }), log),
    ...(checksLinks
      ? [new QueueWorker(createLinkQueue({ ...common, links, privateNetworks, hasDocument }), log)]
      : []),
    new QueueWorker(pictureSizeQueue({ media, files: mediaFiles, sizes, log }), log),
    new HealthMonitor({
      ...{ ...common, record, sendsMail, machine },
      measure: common.measureHealth,
      noteFindings: common.metrics.noteFindings,
    }),
  ];
}
