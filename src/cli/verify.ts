import { type Finding, verify } from "../app/verifying.ts";
import type { CommandContext } from "./terminal.ts";

/** More findings are only counted. */
const FINDINGS_MAX = 1000;

/** `commonplace verify [BACKUP]`: checks for damage; exit code 1 when there is any. */
export async function verifyCommand(
  backup: string | undefined,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  const findings: Finding[] = [];
  let count = 0;
  for await (const finding of verify(config, backup ?? null)) {
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
