import { type AddressedWriter, letterText, quoted, subjectLine } from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface ArrivedMessage {
  id: string;
  name: string;
  email: string;
  text: string;
}

/** To the editors: a visitor's message. A reply goes to the visitor. */
export function messageArrived(writer: AddressedWriter, message: ArrivedMessage): Mail {
  const { id, name, email, text } = message;
  return {
    kind: "message-arrived",
    about: id,
    to: writer.email,
    replyTo: { name, email },
    subject: subjectLine(`A message to ${writer.siteName}`),
    text: letterText(
      `Somebody wrote at ${writer.origin}/contact.`,
      [`Name: ${name}`, `E-mail: ${email}`, `Message: ${id}`].join("\n"),
      quoted(text),
    ),
  };
}
