import {
  type KeyRequestWithoutCodeHash,
  readKeyRequest,
  toKeyRequestWithoutCodeHash,
} from "../access/submissions/key-requests.ts";
import { openRecordForCommand } from "../app/store.ts";
import type { MailDeliveryState } from "../mail/outbox.ts";
import { type CommandContext, formatNameValueLines } from "./terminal.ts";

/** Runs `commonplace requests show ID`. */
export async function runShowRequestCommand(
  id: string,
  flags: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const request = toKeyRequestWithoutCodeHash(
    await readKeyRequest(record.keyRequests, { kind: "operator" }, id),
  );
  const mails = await record.outbox.statesAbout(id);
  if (flags.json === true) terminal.out(JSON.stringify({ ...request, mails }));
  else for (const line of requestLines(request, mails)) terminal.out(line);
  return 0;
}

/** The details of a key request, as lines of text for people to read. */
function requestLines(
  request: KeyRequestWithoutCodeHash,
  mails: readonly MailDeliveryState[] = [],
): string[] {
  const { terms } = request;
  return formatNameValueLines([
    ["Request", request.id],
    ["State", request.state],
    ["Name", request.name],
    ["E-mail", request.email],
    ["Organisation", request.organisation],
    ["Access", request.access === "read" ? "reading" : "reading and writing"],
    ["Task", indented(request.task)],
    ["Data", indented(request.data)],
    ["Received", request.receivedAt],
    ["Decided", request.decidedAt === null ? "" : `${request.decidedAt} by ${request.decidedBy}`],
    ["Reason", indented(request.reason ?? "")],
    ["Note", indented(request.note)],
    ["May", terms?.scopes.join(", ") ?? ""],
    ["Rate", terms === null ? "" : `${terms.ratePerMinute} requests a minute`],
    ["Networks", terms?.networks.join(", ") ?? ""],
    ["Key expires", terms?.expiresAt ?? ""],
    ["Code works until", request.codeExpiresAt ?? ""],
    ["Key", request.keyId ?? ""],
    ["Claimed", request.claimedAt ?? ""],
    ["Erased", request.erasedAt ?? ""],
    ...mails.map((mail) => ["Mail", mailLine(mail)] as const),
  ]);
}

/** Indents the lines of a text, so that no line can be mistaken for another field. */
function indented(text: string): string {
  return text.replaceAll("\n", "\n    ");
}

function mailLine({ kind, to, state, attempts, fault, nextAttemptAt }: MailDeliveryState): string {
  const next = nextAttemptAt === null ? "" : `, next attempt ${nextAttemptAt}`;
  const failed = fault === null ? "" : ` after ${attempts} attempts: ${fault}`;
  return `${kind} to ${to}: ${state.replace("_", " ")}${failed}${next}`;
}
