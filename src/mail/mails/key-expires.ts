import { formatTime, letterText, signature, subjectLine, type Writer } from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface EndingKey {
  id: string;
  name: string;
  /** An e-mail address. */
  contact: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** To the holder of a key: it expires soon. */
export function keyExpires(writer: Writer, { id, name, contact, expiresAt }: EndingKey): Mail {
  const { email } = writer;
  const reply = email === null ? "" : "reply to this mail, or ";
  return {
    kind: "key-ends",
    about: id,
    to: contact,
    replyTo: email === null ? null : { name: writer.siteName, email },
    subject: subjectLine(`Your key to ${writer.siteName} ends soon`),
    text: letterText(
      `Your key "${subjectLine(name)}" to ${writer.siteName} works until ${formatTime(expiresAt)}.`,
      `If you need it for longer, ${reply}ask for another at ${writer.origin}/contact.`,
      signature(writer),
    ),
  };
}
