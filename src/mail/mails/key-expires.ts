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
  return {
    kind: "key-ends",
    about: id,
    to: contact,
    replyTo: { name: writer.siteName, email: writer.email },
    subject: subjectLine(`Your key to ${writer.siteName} ends soon`),
    text: letterText(
      `Your key "${subjectLine(name)}" to ${writer.siteName} works until ${formatTime(expiresAt)}.`,
      `If you need it for longer, reply to this mail, or ask for another at ${writer.origin}/contact.`,
      signature(writer),
    ),
  };
}
