import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { fetchAndUnpackBackup } from "../app/backup/unpacked.ts";
import { type DamageFinding, findDamage } from "../app/verifying.ts";
import type { CommandContext } from "./terminal.ts";

/** Findings beyond this number are counted but not listed. */
const FINDINGS_MAX = 1000;

export interface VerifyFlags {
  identity?: string;
  json?: boolean;
}

/** `commonplace verify [BACKUP]`: checks for damage. The exit code is 1 if damage is found. */
export async function runVerifyCommand(
  backup: string | undefined,
  { identity, json = false }: VerifyFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const findings: DamageFinding[] = [];
  let count = 0;
  const folder = existsSync(config.dataDir) ? config.dataDir : tmpdir();
  const options = { identityFile: identity ?? null, folder };
  await using opened =
    backup === undefined ? null : await fetchAndUnpackBackup(config, backup, options);
  for await (const finding of findDamage(config, opened?.path ?? null)) {
    count += 1;
    if (count > FINDINGS_MAX) continue;
    findings.push(finding);
    if (!json) terminal.out(`${finding.part}: ${finding.place}. ${finding.advice}`);
  }
  if (json) terminal.out(JSON.stringify({ isWhole: count === 0, count, findings }));
  else if (count === 0) terminal.out("No damage found");
  else if (count === 1) terminal.err("1 place is damaged");
  else terminal.err(`${count} places are damaged`);
  return count === 0 ? 0 : 1;
}
