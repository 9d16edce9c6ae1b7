/** A mail in plain text; the outbox gives it its sender. */
export interface Mail {
  /** What it tells, in a word for lists. */
  kind: "key-request-arrived" | "key-approved" | "key-declined" | "message-arrived";
  /** The id of the key request or message it is about. */
  about: string;
  to: string;
  /** Whom an answer goes to, where that is not the sender. */
  replyTo: { name: string; email: string } | null;
  subject: string;
  text: string;
}

/** What became of a mail, without its text. */
export interface MailState {
  id: string;
  kind: Mail["kind"];
  /** Empty once the personal data of what it is about was erased. */
  to: string;
  state: "waiting" | "sent" | "given_up" | "withdrawn";
  attempts: number;
  /** ISO 8601, UTC, as all times. */
  createdAt: string;
  sentAt: string | null;
  nextAttemptAt: string | null;
  /** Why the last attempt failed, in our words. */
  fault: string | null;
}

/** A mail that is due, taken by one process for a while. */
export interface DueMail extends Mail {
  id: string;
  createdAt: string;
  /** This one included. */
  attempts: number;
}

/** Mails are put here in the transaction of what they tell, and sent after it. */
export interface Outbox {
  put(mail: Mail, now: Date): Promise<void>;
  /** Mails of that kind which still wait are not sent any more. */
  withdraw(about: string, kind: Mail["kind"]): Promise<void>;
  /** Oldest first. */
  statesAbout(about: string): Promise<MailState[]>;
  /** Takes the mail that has been due longest; no other process gets it until `until`. */
  takeDue(now: Date, until: Date): Promise<DueMail | null>;
  /** All of these wipe the text where it is not needed any more. */
  sent(id: string, now: Date): Promise<void>;
  failed(id: string, fault: string, nextAttemptAt: Date): Promise<void>;
  giveUp(id: string, fault: string): Promise<void>;
  /** Gives up those that have waited since before `since`; how many. */
  giveUpOld(since: Date, fault: string): Promise<number>;
  /** Removes what is kept of mails about this. */
  forget(about: string): Promise<void>;
}
