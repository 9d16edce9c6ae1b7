import { type AuditEntry, auditEntryForChange } from "../access/audit.ts";
import type { AdminStore } from "../access/people/people-stores.ts";
import { type MailStores, readEditorsMailSender } from "../access/submissions/submissions.ts";
import { healthTurnedBadMail } from "../mail/mails/health-turned-bad.ts";
import { formatsOf } from "../texts/formats.ts";
import type { HealthCheck, HealthFinding, HealthLocale } from "./finding.ts";
import { ENGLISH_HEALTH_TEXTS } from "./texts/english.ts";

const RECIPIENTS_MAX = 5;

/** The checks that were last reported as bad, keyed by the name of the check. */
export type ReportedBadChecks = Readonly<Record<string, { since: string }>>;

export interface HealthStore {
  load(): Promise<ReportedBadChecks>;
  /** Saves within the current transaction. */
  save(known: ReportedBadChecks, entries: readonly AuditEntry[]): Promise<void>;
}

interface Stores extends MailStores {
  admins: Pick<AdminStore, "activeOwners">;
  health: HealthStore;
}

export interface HealthReportContext {
  now: Date;
  origin: string;
  sendsMail: boolean;
  /** Name of this machine if several share one record; null: there is only one. */
  machine: string | null;
}

/** Checks with one result for the whole site. All other checks are per machine. */
const SITE_WIDE_CHECKS: ReadonlySet<HealthCheck> = new Set([
  "backup",
  "record",
  "mail",
  "webhooks",
  "jobs",
]);

/**
 * Records in the audit log when a check becomes bad or recovers, so that webhooks report it. Mails
 * the owners about newly bad checks. Each change is reported once. A check that alternates between
 * `bad` and `warn` is reported again only after it has been `good`.
 */
export async function reportHealthChanges(
  record: Stores & { atomically<T>(change: (stores: Stores) => Promise<T>): Promise<T> },
  findings: readonly HealthFinding[],
  context: HealthReportContext,
): Promise<void> {
  if (!hasTurned(findings, await record.health.load(), context)) return;
  await record.atomically(async (stores) => {
    const known = await stores.health.load();
    const worse = findings.filter((found) => isWorse(found, known, context));
    const better = findings.filter((found) => isBetter(found, known, context));
    if (worse.length + better.length === 0) return;
    const after = new Map(Object.entries(known));
    for (const found of better) after.delete(nameOf(found, context));
    for (const found of worse)
      after.set(nameOf(found, context), { since: context.now.toISOString() });
    const entries = [
      ...worse.map((found) => entryFor("health.fail", found, context)),
      ...better.map((found) => entryFor("health.recover", found, context)),
    ];
    await stores.health.save(Object.fromEntries(after), entries);
    if (context.sendsMail && worse.length > 0) await mailOwners(stores, worse, context);
  });
}

function hasTurned(
  findings: readonly HealthFinding[],
  known: ReportedBadChecks,
  context: HealthReportContext,
): boolean {
  return findings.some(
    (found) => isWorse(found, known, context) || isBetter(found, known, context),
  );
}

function isWorse(
  found: HealthFinding,
  known: ReportedBadChecks,
  context: HealthReportContext,
): boolean {
  return found.state === "bad" && known[nameOf(found, context)] === undefined;
}

function isBetter(
  found: HealthFinding,
  known: ReportedBadChecks,
  context: HealthReportContext,
): boolean {
  return found.state === "good" && known[nameOf(found, context)] !== undefined;
}

function nameOf({ check }: HealthFinding, { machine }: HealthReportContext): string {
  return machine === null || SITE_WIDE_CHECKS.has(check) ? check : `${check} ${machine}`;
}

function entryFor(action: string, found: HealthFinding, context: HealthReportContext): AuditEntry {
  const { now } = context;
  const entry = auditEntryForChange(action, nameOf(found, context), {
    actor: { kind: "clock" },
    now,
  });
  return { ...entry, detail: found.meaning(ENGLISH_HEALTH_LOCALE) };
}

async function mailOwners(
  stores: Stores,
  worse: readonly HealthFinding[],
  { now, origin }: HealthReportContext,
): Promise<void> {
  const writer = await readEditorsMailSender(stores, { origin });
  const owners = await stores.admins.activeOwners();
  const recipients = owners.map(({ email }) => email).slice(0, RECIPIENTS_MAX);
  if (recipients.length === 0 && writer.email !== null) recipients.push(writer.email);
  const faults = worse.map(({ check, meaning, advice }) => ({
    name: ENGLISH_HEALTH_TEXTS.checks[check],
    meaning: meaning(ENGLISH_HEALTH_LOCALE),
    advice: advice?.(ENGLISH_HEALTH_LOCALE) ?? null,
  }));
  for (const to of recipients) {
    await stores.outbox.put(healthTurnedBadMail(writer, { to, faults }), now);
  }
}

/** The language of reports in mails, commands and the log. */
export const ENGLISH_HEALTH_LOCALE: HealthLocale = {
  language: "en",
  texts: ENGLISH_HEALTH_TEXTS,
  number: String,
  bytes: (value) => formatsOf("en").bytes(value),
  moment: (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`,
};
