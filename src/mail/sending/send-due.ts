import type { Log } from "../../log.ts";
import type { DueMail, Outbox } from "../outbox.ts";
import type { Deliver, MailFault, Sender } from "./smtp.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than an attempt can take: after it another process may think the first one dead. */
const TAKEN_MILLISECONDS = 5 * MINUTE;
/** Milliseconds to wait after each failed attempt; the last counts for all further ones. */
const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR];
const TRIED_MILLISECONDS = 3 * 24 * HOUR;
const MAILS_AT_ONCE_MAX = 20;

export interface Postman {
  outbox: Outbox;
  deliver: Deliver;
  sender: () => Sender;
  now: () => Date;
  log: Log;
}

/** Sends what is due, one mail after the other, each taken so that no other process sends it too. */
export async function sendDueMails(postman: Postman): Promise<void> {
  const { outbox, deliver, sender, now, log } = postman;
  for (let count = 0; count < MAILS_AT_ONCE_MAX; count += 1) {
    const taken = now();
    const mail = await outbox.takeDue(taken, new Date(taken.getTime() + TAKEN_MILLISECONDS));
    if (mail === null) return;
    const fault = await deliver(mail, sender());
    const line = { mail: mail.id, kind: mail.kind, about: mail.about, attempts: mail.attempts };
    if (fault === null) {
      await outbox.sent(mail.id, now());
      log.info(line, "Sent a mail");
    } else {
      log.warn({ ...line, fault: fault.fault }, "Could not send a mail");
      await settleFailure(outbox, mail, fault, now());
    }
  }
}

/** For stores whose service sends no mail any more: what waited too long is given up. */
export async function giveUpOldMails(outbox: Outbox, now: Date): Promise<void> {
  const since = new Date(now.getTime() - TRIED_MILLISECONDS);
  await outbox.giveUpOld(since, "it waited for three days and could not be sent");
}

async function settleFailure(
  outbox: Outbox,
  mail: DueMail,
  { fault, isFinal }: MailFault,
  now: Date,
): Promise<void> {
  const next = new Date(now.getTime() + (WAITS[mail.attempts - 1] ?? 4 * HOUR));
  const ends = new Date(mail.createdAt).getTime() + TRIED_MILLISECONDS;
  if (isFinal || next.getTime() > ends) await outbox.giveUp(mail.id, fault);
  else await outbox.failed(mail.id, fault, next);
}
