import {
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface Fault {
  name: string;
  meaning: string;
  advice: string | null;
}

/** Mail to an owner of the site about a health check that has turned bad. */
export function healthTurnedBadMail(
  sender: MailSender,
  { to, faults }: { to: string; faults: readonly Fault[] },
): Mail {
  const names = faults.map(({ name }) => name).join(", ");
  return {
    kind: "health",
    about: "health",
    to,
    replyTo: null,
    subject: toSubjectLine(`${sender.siteName}: problem with ${names}`),
    text: mailTextFromParagraphs(
      ...faults.map(({ name, meaning, advice }) =>
        [`${name}: ${meaning}`, ...(advice === null ? [] : [advice])].join("\n"),
      ),
      `Details: ${sender.origin}/admin/health`,
      mailSignature(sender),
    ),
  };
}
