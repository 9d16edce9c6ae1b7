import { exportAuditLog } from "../access/audit.ts";
import { openRecordForCommand } from "../app/store.ts";
import { type AuditFlags, auditFilterFromFlags } from "./audit-list.ts";
import type { CommandContext } from "./terminal.ts";

/** Runs `commonplace audit export`. */
export async function runExportAuditCommand(
  flags: AuditFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const filter = auditFilterFromFlags(flags);
  const encoder = new TextEncoder();
  await using record = await openRecordForCommand(config);
  for await (const entry of exportAuditLog(record.audit, { kind: "operator" }, filter)) {
    await terminal.write(encoder.encode(`${JSON.stringify(entry)}\n`));
  }
  return 0;
}
