import {
  formatMailTime,
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface EndingKey {
  id: string;
  name: string;
  /** An e-mail address. */
  contact: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** Mail to the holder of a key that expires soon. */
export function keyExpiryMail(
  sender: MailSender,
  { id, name, contact, expiresAt }: EndingKey,
): Mail {
  const { email } = sender;
  const reply = email === null ? "" : "reply to this mail, or ";
  return {
    kind: "key-ends",
    about: id,
    to: contact,
    replyTo: email === null ? null : { name: sender.siteName, email },
    subject: toSubjectLine(`Your key to ${sender.siteName} expires soon`),
    text: mailTextFromParagraphs(
      `Your key "${toSubjectLine(name)}" to ${sender.siteName} works until ${formatMailTime(expiresAt)}.`,
      `If you need it for longer, ${reply}request another at ${sender.origin}/contact.`,
      mailSignature(sender),
    ),
  };
}
