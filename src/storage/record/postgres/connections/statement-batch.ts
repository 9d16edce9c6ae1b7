import { CompiledQuery, type Kysely, type RawBuilder } from "kysely";
import type { RecordTables } from "../../tables.ts";

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export type StatementResult = { rows: readonly unknown[] } | { error: unknown };

/**
 * Statements to send together, without waiting for each result. `commits`: whether a commit follows them.
 */
export class StatementBatch {
  readonly statements: readonly Statement[];
  readonly commits: boolean;

  constructor(statements: readonly Statement[], { commits = false } = {}) {
    this.statements = statements;
    this.commits = commits;
  }
}

/**
 * Sends `last`, the last statement of a transaction, together with the commit.
 *
 * @returns the rows of `last`.
 */
export async function sendWithCommit<Row>(
  db: Kysely<RecordTables>,
  last: RawBuilder<Row>,
): Promise<Row[]>;
export async function sendWithCommit(
  db: Kysely<RecordTables>,
  last: RawBuilder<unknown>,
): Promise<unknown[]> {
  const batch = new StatementBatch([last.compile(db)], { commits: true });
  return (await db.executeQuery(CompiledQuery.raw("", [batch]))).rows;
}

/**
 * Sends statements together, without waiting for each result.
 *
 * @returns one result per statement. If a statement fails, its result and those of all later ones are
 * errors.
 */
export async function pipelineStatements(
  db: Kysely<RecordTables>,
  statements: readonly Statement[],
): Promise<StatementResult[]>;
export async function pipelineStatements(
  db: Kysely<RecordTables>,
  statements: readonly Statement[],
): Promise<unknown[]> {
  return (await db.executeQuery(CompiledQuery.raw("", [new StatementBatch(statements)]))).rows;
}
