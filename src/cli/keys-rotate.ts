import { ROTATION_GRACE_SECONDS_DEFAULT, rotateKey } from "../access/keys/key-changes.ts";
import { openRecordForCommand } from "../app/store.ts";
import { printIssuedKey } from "./keys-issue.ts";
import type { CommandContext } from "./terminal.ts";

/**
 * `commonplace keys rotate ID`: issues a new key with the same rights; the old one expires after the grace
 * period.
 */
export async function runRotateKeyCommand(
  id: string,
  flags: { grace?: number; json?: boolean },
  context: CommandContext,
): Promise<number> {
  const graceHours = flags.grace ?? ROTATION_GRACE_SECONDS_DEFAULT / 3600;
  await using record = await openRecordForCommand(context.config);
  const issued = await rotateKey(record.keys, { kind: "operator" }, id, {
    now: new Date(),
    graceSeconds: Math.round(graceHours * 3600),
  });
  printIssuedKey(issued, flags.json === true, context);
  if (flags.json !== true) {
    const old = await record.keys.byId(id);
    context.terminal.err(`The old key ${id} keeps working until ${old?.expiresAt}`);
  }
  return 0;
}
