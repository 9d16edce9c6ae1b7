import {
  formatMailTime,
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface Approval {
  id: string;
  name: string;
  email: string;
  code: string;
  /** ISO 8601, UTC. */
  codeExpiresAt: string;
}

/** Mail to the requester of a key with the claim code. The link does not contain the code. */
export function keyApprovedMail(sender: MailSender, approval: Approval): Mail {
  const { id, name, email, code, codeExpiresAt } = approval;
  return {
    kind: "key-approved",
    about: id,
    to: email,
    replyTo: null,
    subject: toSubjectLine(`Your key to ${sender.siteName}`),
    text: mailTextFromParagraphs(
      `Hello ${name},`,
      `your request for a key to ${sender.siteName} is approved. Your claim code is:`,
      code,
      `Enter it at ${sender.origin}/contact/claim by ${formatMailTime(codeExpiresAt)}. The code works once; the page then shows your key, this one time only, and how to use it.`,
      "If you did not ask for a key, you can ignore this mail: no key exists until the code is used.",
      mailSignature(sender),
    ),
  };
}
