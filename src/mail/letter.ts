/** The site as the sender of a mail. */
export interface MailSender {
  siteName: string;
  /** The address at which the editors read mail; null: not set yet. */
  email: string | null;
  /** Public origin of the site. */
  origin: string;
}

/** A sender with the address to which mails for the editors go. */
export type SenderWithEmail = MailSender & { email: string };

/** Joins the parts with empty lines; null parts are left out. */
export function mailTextFromParagraphs(...parts: (string | null)[]): string {
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

/** A visitor's words, quoted with `>`. */
export function quoteText(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** Collapses line breaks and other white space, because a subject must be a single line. */
export function toSubjectLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, " ").trim();
}

export function mailSignature({ siteName, origin }: MailSender): string {
  return `${siteName}\n${origin}/`;
}

/** Formats a time like "28 November 2026, 12:00 UTC". */
export function formatMailTime(time: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return `${day.format(new Date(time))}, ${time.slice(11, 16)} UTC`;
}
