import type { AuditEntry } from "../../../access/audit.ts";
import type { Submission, SubmissionStore } from "../../../access/submissions/submissions.ts";
import type { Connections } from "../connections.ts";

/** The common interface of Kysely queries on the tables of submissions. */
interface SubmissionQuery<Row, State> {
  where(column: "id", operator: "=" | "<", value: string): SubmissionQuery<Row, State>;
  where(column: "changed_at", operator: "<", value: string): SubmissionQuery<Row, State>;
  where(column: "state", operator: "=", value: State): SubmissionQuery<Row, State>;
  orderBy(column: "id", direction: "desc"): SubmissionQuery<Row, State>;
  limit(rows: number): SubmissionQuery<Row, State>;
  execute(): Promise<Row[]>;
}

/** The common part of the stores of messages and key requests. */
export abstract class KyselySubmissionStore<Received extends Submission, Row>
  implements SubmissionStore<Received>
{
  protected readonly connections: Connections;

  constructor(connections: Connections) {
    this.connections = connections;
  }

  abstract insert(received: Received, entry: AuditEntry): Promise<void>;
  abstract update(received: Received, entry: AuditEntry): Promise<void>;
  protected abstract rows(): SubmissionQuery<Row, Received["state"]>;
  protected abstract personalRows(): SubmissionQuery<Row, Received["state"]>;
  protected abstract submissionOf(row: Row): Received;

  async byId(id: string): Promise<Received | null> {
    const [row] = await this.rows().where("id", "=", id).execute();
    return row === undefined ? null : this.submissionOf(row);
  }

  async list({
    state,
    before,
    limit,
  }: Parameters<SubmissionStore<Received>["list"]>[0]): Promise<Received[]> {
    let query = this.rows().orderBy("id", "desc").limit(limit);
    if (state !== null) query = query.where("state", "=", state);
    if (before !== null) query = query.where("id", "<", before);
    return (await query.execute()).map((row) => this.submissionOf(row));
  }

  async unchangedSince(since: Date, limit: number): Promise<Received[]> {
    const rows = this.personalRows().where("changed_at", "<", since.toISOString()).limit(limit);
    return (await rows.execute()).map((row) => this.submissionOf(row));
  }
}
