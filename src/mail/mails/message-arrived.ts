import {
  mailTextFromParagraphs,
  quoteText,
  type SenderWithEmail,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface ArrivedMessage {
  id: string;
  name: string;
  email: string;
  text: string;
}

/** Mail to the editors with a visitor's message. A reply goes to the visitor. */
export function messageArrivedMail(sender: SenderWithEmail, message: ArrivedMessage): Mail {
  const { id, name, email, text } = message;
  return {
    kind: "message-arrived",
    about: id,
    to: sender.email,
    replyTo: { name, email },
    subject: toSubjectLine(`A message to ${sender.siteName}`),
    text: mailTextFromParagraphs(
      `A visitor has sent a message at ${sender.origin}/contact.`,
      [`Name: ${name}`, `E-mail: ${email}`, `Message: ${id}`].join("\n"),
      quoteText(text),
    ),
  };
}
