import { formatTime, type MailSender, mailText, signature, subjectLine } from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface Approval {
  id: string;
  name: string;
  email: string;
  code: string;
  /** ISO 8601, UTC. */
  codeExpiresAt: string;
}

/** To the requester: the claim code. The link does not contain it. */
export function keyApproved(sender: MailSender, approval: Approval): Mail {
  const { id, name, email, code, codeExpiresAt } = approval;
  return {
    kind: "key-approved",
    about: id,
    to: email,
    replyTo: null,
    subject: subjectLine(`Your key to ${sender.siteName}`),
    text: mailText(
      `Hello ${name},`,
      `you asked for a key to ${sender.siteName}. It is granted. This is your claim code:`,
      code,
      `Enter it at ${sender.origin}/contact/claim by ${formatTime(codeExpiresAt)}. It works once; the page then shows your key, that one time, and how to use it.`,
      "If you did not ask for a key, you need do nothing: without the code there is none.",
      signature(sender),
    ),
  };
}
