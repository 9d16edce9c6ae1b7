import {
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  quoteText,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface Refusal {
  id: string;
  name: string;
  email: string;
  reason: string;
}

/** Mail to the requester of a key, with the reason why the request is declined. */
export function keyDeclinedMail(sender: MailSender, { id, name, email, reason }: Refusal): Mail {
  return {
    kind: "key-declined",
    about: id,
    to: email,
    replyTo: null,
    subject: toSubjectLine(`Your request for a key to ${sender.siteName}`),
    text: mailTextFromParagraphs(
      `Hello ${name},`,
      `we cannot approve your request for a key to ${sender.siteName}, for this reason:`,
      quoteText(reason),
      `Everything published can be read without a key, as web pages and as Markdown: ${sender.origin}/llms.txt explains how. You can reply to this mail.`,
      mailSignature(sender),
    ),
  };
}
