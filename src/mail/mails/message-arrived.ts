import { letterText, quoted, subjectLine, type Writer } from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface ArrivedMessage {
  id: string;
  name: string;
  email: string;
  text: string;
}

/** To the editors: what somebody wrote to them. An answer to it goes to whoever wrote. */
export function messageArrived(writer: Writer, message: ArrivedMessage): Mail {
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
