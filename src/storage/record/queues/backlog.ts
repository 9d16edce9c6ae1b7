import { type Kysely, sql } from "kysely";
import type { RecordTables } from "../tables.ts";

/** Numbers of pending tasks. */
export interface Backlog {
  mail: number;
  webhooks: number;
  jobs: number;
}

export async function countBacklog(db: Kysely<RecordTables>): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    SELECT
      (SELECT count(*) FROM mails WHERE state = 'waiting') AS mail,
      (SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting') AS webhooks,
      (SELECT count(*) FROM jobs WHERE ended_at IS NULL) AS jobs
  `.execute(db);
  return rows[0] ?? { mail: 0, webhooks: 0, jobs: 0 };
}
