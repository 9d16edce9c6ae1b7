/** A mail in plain text, without its sender. */
export interface Mail {
  kind:
    | "key-request-arrived"
    | "key-approved"
    | "key-declined"
    | "message-arrived"
    | "admin-code"
    | "account-changed"
    | "key-ends"
    | "digest"
    | "health";
  /** Id of the key request, message or account; `health` for the site itself. */
  about: string;
  to: string;
  /** Where replies go. Null if they go to the address that sends the mail. */
  replyTo: { name: string; email: string } | null;
  subject: string;
  text: string;
}

/** The delivery state of a mail, without its text. */
export interface MailDeliveryState {
  id: string;
  kind: Mail["kind"];
  /** The recipient's address; empty once the personal data of the submission has been erased. */
  to: string;
  state: "waiting" | "sent" | "given_up" | "withdrawn";
  attempts: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  sentAt: string | null;
  nextAttemptAt: string | null;
  /** Why the last attempt failed; safe to show. */
  fault: string | null;
}

/** A mail that is due. One process has claimed it, and no other process sends it meanwhile. */
export interface DueMail extends Mail {
  id: string;
  createdAt: string;
  /** How often sending was attempted, including the current attempt. */
  attempts: number;
}

/**
 * Queues mails in the transaction that causes them. The mails are sent after the commit of this
 * transaction.
 */
export interface Outbox {
  put(mail: Mail, now: Date): Promise<void>;
  /** Cancels the waiting mails of this kind about a submission. */
  withdraw(about: string, kind: Mail["kind"]): Promise<void>;
  /** The delivery states of the mails about one thing, such as a key request; oldest first. */
  statesAbout(about: string): Promise<MailDeliveryState[]>;
  /**
   * Claims the mail that has been due longest: no other process gets it before `until`. Null if none is
   * due.
   */
  takeDue(now: Date, until: Date): Promise<DueMail | null>;
  /** Records that a mail was sent. Like `giveUp`, erases the text, because no further attempt needs it. */
  sent(id: string, now: Date): Promise<void>;
  failed(id: string, fault: string, nextAttemptAt: Date): Promise<void>;
  giveUp(id: string, fault: string): Promise<void>;
  /** Gives up at most 100 waiting mails created before `since`; returns their number. */
  giveUpOld(since: Date, fault: string): Promise<number>;
  /** Removes all mails about a submission; with `kind`, only mails of this kind. */
  forget(about: string, kind?: Mail["kind"]): Promise<void>;
}
