import {
  type AuditEntryWithActorName,
  type AuditFilter,
  auditFilterSchema,
  readAuditLogPage,
} from "../access/audit.ts";
import { openRecordForCommand } from "../app/store.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 10_000;

export interface AuditFlags {
  actor?: string;
  action?: string;
  target?: string;
  since?: string;
  until?: string;
  limit?: number;
  json?: boolean;
}

/** Runs `commonplace audit list`. */
export async function runListAuditCommand(
  { limit = LIMIT_DEFAULT, json, ...filter }: AuditFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  if (limit < 1 || limit > LIMIT_MAX) {
    throw new AppError(
      "invalid",
      englishOnlyWording(`Cannot list ${limit} entries: --limit is from 1 to ${LIMIT_MAX}`),
    );
  }
  const query = { ...auditFilterFromFlags(filter), limit };
  await using record = await openRecordForCommand(config);
  const entries = await readAuditLogPage(record.audit, { kind: "operator" }, query);
  if (json === true) terminal.out(JSON.stringify({ entries }));
  else if (entries.length === 0) terminal.out("No entries");
  else for (const line of formatTableLines(rows(entries))) terminal.out(line);
  return 0;
}

/** @throws {AppError} `invalid`, naming the invalid option. */
export function auditFilterFromFlags(flags: AuditFilter): AuditFilter {
  const read = auditFilterSchema.safeParse(flags);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => ({
    where: `--${path.join(".")}`,
    message: englishOnlyWording(message),
  }));
  const details = problems.map(({ where, message }) => `${where} ${message.en}`).join("; ");
  throw new AppError("invalid", englishOnlyWording(`Cannot search the audit log: ${details}`), {
    problems,
  });
}

function rows(entries: readonly AuditEntryWithActorName[]): string[][] {
  const heading = ["NUMBER", "AT", "ACTOR", "ACTION", "TARGET", "DETAIL"];
  return [
    heading,
    ...entries.map(({ number, at, actor, actorName, action, target, detail }) => [
      String(number),
      at,
      actorName === null ? actor : `${actor} ${actorName}`,
      action,
      target,
      detail ?? "",
    ]),
  ];
}
