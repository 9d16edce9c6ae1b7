import { isPassing } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { DueMail, Outbox } from "../outbox.ts";
import type { Deliver, MailFault, Sender } from "./smtp.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than an attempt can take: after it another process may think the first one dead. */
const TAKEN_MILLISECONDS = 5 * MINUTE;
/** Milliseconds to wait after each failed attempt; the last counts for all further ones. */
const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR];
const WAIT_MAX = 4 * HOUR;
const TRIED_MILLISECONDS = 3 * 24 * HOUR;
/** How long a mail under way may take when the program ends. */
const STOP_MILLISECONDS = 3000;

export interface PostmanParts {
  outbox: Outbox;
  /** Null: the service sends no mail. */
  deliver: Deliver | null;
  sender: () => Sender;
  now: () => Date;
  log: Log;
}

/**
 * Sends what waits in the outbox, one mail after the other, in any number of processes: each mail is
 * taken by one of them. A mail whose sending was cut off is sent again, so it may come twice, but
 * none is lost without a word.
 */
export class Postman {
  readonly #parts: PostmanParts;
  readonly #ending = new AbortController();
  #round: Promise<void> | null = null;
  #isStopping = false;
  #gaveUpAt = 0;

  constructor(parts: PostmanParts) {
    this.#parts = parts;
  }

  /** Starts a round unless one is under way; waits for no mail server. */
  async work(): Promise<void> {
    const { deliver, log } = this.#parts;
    if (this.#isStopping || this.#round !== null) return;
    if (deliver === null) return await this.#giveUpOld();
    this.#round = this.#deliverDue(deliver)
      .catch((error: unknown) => {
        // The clock tells of a record that is away.
        if (!isPassing(error)) log.error({ err: error }, "Sending mail failed");
      })
      .finally(() => {
        this.#round = null;
      });
  }

  /** Waits until nothing is under way any more. */
  async settled(): Promise<void> {
    await this.#round;
  }

  /** Starts nothing more, and waits a little for what is under way; then it is cut off. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const late = setTimeout(() => this.#ending.abort(), STOP_MILLISECONDS);
    await this.settled();
    clearTimeout(late);
  }

  async #deliverDue(deliver: Deliver): Promise<void> {
    const { outbox, sender, now } = this.#parts;
    while (!this.#isStopping) {
      const taken = now();
      const mail = await outbox.takeDue(taken, new Date(taken.getTime() + TAKEN_MILLISECONDS));
      if (mail === null) return;
      const fault = await deliver(mail, sender(), this.#ending.signal);
      // It stays taken for a while, and is then tried again by whoever runs.
      if (this.#ending.signal.aborted && fault !== null) return;
      await this.#settle(mail, fault);
    }
  }

  async #settle(mail: DueMail, fault: MailFault | null): Promise<void> {
    const { outbox, now, log } = this.#parts;
    const { id, kind, about, attempts } = mail;
    const line = { mail: id, kind, about, attempts };
    if (fault === null) {
      await outbox.sent(id, now());
      log.info(line, "Sent a mail");
      return;
    }
    const next = new Date(now().getTime() + (WAITS[attempts - 1] ?? WAIT_MAX));
    const ends = new Date(mail.createdAt).getTime() + TRIED_MILLISECONDS;
    if (fault.isFinal || next.getTime() > ends) {
      log.error({ ...line, fault: fault.fault }, "Gave up a mail");
      await outbox.giveUp(id, fault.fault);
    } else {
      log.warn({ ...line, fault: fault.fault, next: next.toISOString() }, "Could not send a mail");
      await outbox.failed(id, fault.fault, next);
    }
  }

  /** What waits from a time when the service did send mail must not hold claim codes for ever. */
  async #giveUpOld(): Promise<void> {
    const { outbox, now } = this.#parts;
    const at = now().getTime();
    if (at - this.#gaveUpAt < HOUR) return;
    this.#gaveUpAt = at;
    await outbox.giveUpOld(new Date(at - TRIED_MILLISECONDS), "SMTP_URL is not set any more");
  }
}
