import { CompiledQuery, type Kysely, type RawBuilder } from "kysely";
import type { RecordTables } from "../../tables.ts";

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export type StatementResult = { rows: readonly unknown[] } | { error: unknown };

/** Statements to pipeline. */
export class StatementBatch {
  readonly statements: readonly Statement[];
  readonly commits: boolean;

  constructor(statements: readonly Statement[], { commits = false } = {}) {
    this.statements = statements;
    this.commits = commits;
  }
}

/** Sends a transaction's last statement together with the commit. @returns the statement's rows. */
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
 * Pipelines statements.
 *
 * @returns one answer per statement; after the first failure, all later statements fail too.
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
