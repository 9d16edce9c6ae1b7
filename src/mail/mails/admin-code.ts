import {
  formatMailTime,
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface CodeForAdmin {
  id: string;
  name: string;
  email: string;
  /** Whether the code invites a new administrator; otherwise it resets a password. */
  isInvitation: boolean;
  code: string;
  /** ISO 8601, UTC. */
  codeExpiresAt: string;
}

/** Mail to an administrator with the code for choosing a password. The link does not contain the code. */
export function adminCodeMail(sender: MailSender, admin: CodeForAdmin): Mail {
  const { id, name, email, isInvitation, code, codeExpiresAt } = admin;
  const { siteName, origin } = sender;
  return {
    kind: "admin-code",
    about: id,
    to: email,
    replyTo: null,
    subject: toSubjectLine(
      isInvitation ? `Your account at ${siteName}` : `A new password for ${siteName}`,
    ),
    text: mailTextFromParagraphs(
      `Hello ${name},`,
      isInvitation
        ? `you are invited to help run ${siteName}. Your code is:`
        : `with this code you can choose a new password for ${siteName}:`,
      code,
      `Enter it at ${origin}/admin/claim by ${formatMailTime(codeExpiresAt)} and choose a password. The code works once.`,
      isInvitation
        ? "If you did not expect this, you can ignore it: no account exists until the code is used."
        : "If you did not ask for this, tell an owner of the site; your password works until the code is used.",
      mailSignature(sender),
    ),
  };
}
