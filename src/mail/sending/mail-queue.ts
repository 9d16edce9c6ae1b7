import type { Log } from "../../log.ts";
import { backoffMilliseconds } from "../../work/backoff.ts";
import type { TaskQueue } from "../../work/queue-worker.ts";
import type { DueMail, Outbox } from "../outbox.ts";
import type { DeliverMail, MailError, SenderAddress } from "./smtp.ts";

const MINUTE_MILLISECONDS = 60_000;
const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
/**
 * How long a mail is claimed; longer than any attempt takes. After this time, another process may
 * retry.
 */
const CLAIM_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
/** Milliseconds before each retry, adding up to just under three days. */
const RETRY_DELAYS: readonly number[] = [
  ...[MINUTE_MILLISECONDS, 5 * MINUTE_MILLISECONDS, 15 * MINUTE_MILLISECONDS, HOUR_MILLISECONDS],
  ...Array<number>(17).fill(4 * HOUR_MILLISECONDS),
];
const UNSENDABLE_AFTER_MILLISECONDS = 3 * 24 * HOUR_MILLISECONDS;

export interface MailQueueDependencies {
  outbox: Outbox;
  /** Null if the service sends no mail. */
  deliver: DeliverMail | null;
  sender: () => SenderAddress;
  steadyNow: () => Date;
  log: Log;
}

/** Sends the mails in the outbox one by one, at least once: an interrupted mail is sent again. */
export function createMailQueue(parts: MailQueueDependencies): TaskQueue<DueMail> {
  const { outbox, deliver, sender, steadyNow } = parts;
  return {
    taskName: "mail",
    concurrencyMax: 1,
    graceMilliseconds: 3000,
    async claim() {
      if (deliver === null) return [];
      const at = steadyNow();
      const mail = await outbox.takeDue(at, new Date(at.getTime() + CLAIM_MILLISECONDS));
      return mail === null ? [] : [mail];
    },
    async run(mail, stopping) {
      if (deliver === null) return;
      const fault = await deliver(mail, sender(), stopping);
      if (stopping.aborted && fault !== null) return;
      await settle(parts, mail, fault);
    },
  };
}

/**
 * Called if `SMTP_URL` is not set. Gives up on mails that have waited for three days, so that the claim
 * codes in them do not stay in the store.
 */
export async function abandonUnsendableMails(outbox: Outbox, now: Date): Promise<void> {
  const since = new Date(now.getTime() - UNSENDABLE_AFTER_MILLISECONDS);
  await outbox.giveUpOld(since, "SMTP_URL is not set any more");
}

async function settle(
  { outbox, steadyNow, log }: MailQueueDependencies,
  { id, kind, about, attempts }: DueMail,
  fault: MailError | null,
): Promise<void> {
  const line = { mail: id, kind, about, attempts };
  if (fault === null) {
    await outbox.sent(id, steadyNow());
    log.info(line, "Sent a mail");
    return;
  }
  const delay = fault.isFinal ? null : backoffMilliseconds(RETRY_DELAYS, attempts, 0);
  if (delay === null) {
    log.error({ ...line, fault: fault.fault }, "Gave up a mail");
    await outbox.giveUp(id, fault.fault);
    return;
  }
  const next = new Date(steadyNow().getTime() + delay);
  log.warn({ ...line, fault: fault.fault, next: next.toISOString() }, "Could not send a mail");
  await outbox.failed(id, fault.fault, next);
}
