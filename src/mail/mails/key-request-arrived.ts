import { type AddressedWriter, letterText, quoted, subjectLine } from "../letter.ts";
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

/** To the editors: a visitor requests a key. A reply goes to the visitor. */
export function keyRequestArrived(writer: AddressedWriter, request: ArrivedRequest): Mail {
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
    to: writer.email,
    replyTo: { name, email },
    subject: subjectLine(`A request for a key to ${writer.siteName}`),
    text: letterText(
      `Somebody asks at ${writer.origin}/contact for a key.`,
      facts.join("\n"),
      `What the key is for:\n\n${quoted(task)}`,
      data === "" ? null : `Which content it needs:\n\n${quoted(data)}`,
      `Approve it or decline it at ${writer.origin}/admin/requests/${id},`,
      `or with the commands commonplace requests approve ${id} and commonplace requests decline ${id} --reason "…".`,
    ),
  };
}
