import {
  mailTextFromParagraphs,
  quoteText,
  type SenderWithEmail,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface ArrivedRequest {
  id: string;
  name: string;
  email: string;
  organisation: string;
  task: string;
  data: string;
  access: "read" | "write";
}

/** Mail to the editors about a visitor's request for a key. A reply goes to the visitor. */
export function keyRequestArrivedMail(sender: SenderWithEmail, request: ArrivedRequest): Mail {
  const { id, name, email, organisation, task, data, access } = request;
  const facts = [
    `Name: ${name}`,
    `E-mail: ${email}`,
    ...(organisation === "" ? [] : [`Organisation: ${organisation}`]),
    `Access: ${access === "read" ? "reading" : "reading and writing"}`,
    `Request: ${id}`,
  ];
  return {
    kind: "key-request-arrived",
    about: id,
    to: sender.email,
    replyTo: { name, email },
    subject: toSubjectLine(`A request for a key to ${sender.siteName}`),
    text: mailTextFromParagraphs(
      `A visitor has requested a key at ${sender.origin}/contact.`,
      facts.join("\n"),
      `What the key is for:\n\n${quoteText(task)}`,
      data === "" ? null : `Which content it needs:\n\n${quoteText(data)}`,
      `Approve or decline it at ${sender.origin}/admin/requests/${id}, or with the commands commonplace requests approve ${id} and commonplace requests decline ${id} --reason "…".`,
    ),
  };
}
