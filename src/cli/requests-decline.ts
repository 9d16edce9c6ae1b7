import { declineKeyRequest } from "../access/submissions/key-decisions.ts";
import { toKeyRequestWithoutCodeHash } from "../access/submissions/key-requests.ts";
import { openRecordForCommand } from "../app/store.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { CommandContext } from "./terminal.ts";

export interface DeclineRequestFlags {
  reason: string;
  note?: string;
  json?: boolean;
}

/** Runs `commonplace requests decline ID --reason TEXT`. */
export async function runDeclineRequestCommand(
  id: string,
  { reason, note, json }: DeclineRequestFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  if (reason.trim() === "") {
    throw new AppError(
      "invalid",
      englishOnlyWording("Cannot decline without a reason: say why with --reason"),
    );
  }
  await using record = await openRecordForCommand(config);
  const { origin } = record;
  const sendsMail = config.mail !== null;
  const request = await record.atomically((stores) =>
    declineKeyRequest(stores, { kind: "operator" }, id, {
      reason: reason.trim(),
      ...(note === undefined ? {} : { note }),
      now: new Date(),
      origin,
      sendsMail,
    }),
  );
  const shown = toKeyRequestWithoutCodeHash(request);
  if (json === true) terminal.out(JSON.stringify(shown));
  else if (sendsMail) terminal.out(`Declined; the server mails ${shown.email} the reason`);
  else terminal.out(`Declined; no mail is set up, so tell ${shown.email} why`);
  return 0;
}
