import { type Kysely, sql } from "kysely";
import type { QueueMeasurements } from "../../../health/facts.ts";
import type { RecordTables } from "../tables.ts";

interface Row {
  mails: number;
  oldest_mail: string | null;
  given_up: string | null;
  deliveries: number;
  oldest_delivery: string | null;
  disabled: number;
  jobs: number;
  oldest_job: string | null;
}

/** Tasks waiting in the queues, and those that failed permanently. */
export async function readQueueBacklog(db: Kysely<RecordTables>): Promise<QueueMeasurements> {
  const { rows } = await sql<Row>`
    SELECT
      (SELECT count(*) FROM mails WHERE state = 'waiting') AS mails,
      (SELECT min(created_at) FROM mails WHERE state = 'waiting') AS oldest_mail,
      (SELECT max(created_at) FROM mails WHERE state = 'given_up') AS given_up,
      (SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting') AS deliveries,
      (SELECT min(created_at) FROM webhook_deliveries WHERE state = 'waiting') AS oldest_delivery,
      (SELECT count(*) FROM webhooks WHERE state = 'disabled' AND disabled_why IS NOT NULL) AS disabled,
      (SELECT count(*) FROM jobs WHERE ended_at IS NULL) AS jobs,
      (SELECT min(created_at) FROM jobs WHERE ended_at IS NULL) AS oldest_job
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("A query of totals has no row");
  return {
    mail: { waiting: row.mails, oldestAt: row.oldest_mail, givenUpAt: row.given_up },
    webhooks: {
      waiting: row.deliveries,
      oldestAt: row.oldest_delivery,
      disabled: row.disabled,
    },
    jobs: { waiting: row.jobs, oldestAt: row.oldest_job },
  };
}
