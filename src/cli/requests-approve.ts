import { approveKeyRequest } from "../access/submissions/key-approvals.ts";
import { toKeyRequestWithoutCodeHash } from "../access/submissions/key-requests.ts";
import { openRecordForCommand } from "../app/store.ts";
import { readSiteTimeZone } from "../content/site/time-zone.ts";
import { type KeyTermFlags, keyTermsFromFlags } from "./key-terms.ts";
import type { CommandContext } from "./terminal.ts";

export interface ApproveRequestFlags extends KeyTermFlags {
  note?: string;
  showCode?: boolean;
  json?: boolean;
}

/**
 * `commonplace requests approve ID`: prints the claim code alone to standard output, and notes for people to
 * standard error. If the code is mailed, prints only notes. With `--json`, prints only JSON.
 */
export async function runApproveRequestCommand(
  id: string,
  flags: ApproveRequestFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const { origin } = record;
  const timeZone = await readSiteTimeZone(record.content);
  const { request, code } = await record.atomically((stores) =>
    approveKeyRequest(stores, { kind: "operator" }, id, {
      terms: keyTermsFromFlags(flags, timeZone),
      ...(flags.note === undefined ? {} : { note: flags.note }),
      returnsCode: flags.showCode === true,
      now: new Date(),
      origin,
      sendsMail: config.mail !== null,
    }),
  );
  const view = toKeyRequestWithoutCodeHash(request);
  if (flags.json === true) {
    terminal.out(JSON.stringify({ ...view, code, sendsMail: code === null }));
    return 0;
  }
  terminal.err(`Approved the request of ${view.name}: ${view.terms?.scopes.join(", ")}`);
  if (code === null) {
    terminal.err(`The server mails the claim code to ${view.email}`);
    return 0;
  }
  if (flags.showCode !== true) {
    terminal.err("No mail is sent: SMTP_URL is not set where this command runs");
  }
  terminal.err(`Pass this claim code on to ${view.email}; it is shown this once:`);
  terminal.out(code);
  terminal.err(`They enter it at ${origin}/contact/claim by ${view.codeExpiresAt} and get the key`);
  return 0;
}
