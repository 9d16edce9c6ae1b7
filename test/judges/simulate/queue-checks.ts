import type { Simulation } from "./simulation.ts";
import { START } from "./world.ts";

/** Longer than any clock is ahead, because what it scheduled waits that long. */
const ROUNDS_MAX = 150;
const ROUND_MILLISECONDS_MAX = 24 * 3600 * 1000;
const STEADY_MILLISECONDS = 11 * 60 * 1000;
const ATTEMPTS_OF_WEBHOOKS = 9;
/** The longest claim of a queue. While it lasts, another clock may consider it expired. */
const CLAIM_MILLISECONDS_MAX = 5 * 60 * 1000;
/** Deliveries are pruned after 30 days, by clocks that may be wrong by an hour. */
const KEPT_MILLISECONDS_MIN = 30 * 24 * 3600 * 1000 - 2 * 3600 * 1000;
const STATE_OF = {
  mail: "SELECT state FROM mails WHERE id = ?",
  webhook: "SELECT state FROM webhook_deliveries WHERE message_id = ?",
} as const;
const WAITING = `
  SELECT next_attempt_at AS at FROM mails WHERE state = 'waiting'
  UNION ALL SELECT max(due_at, coalesce(claimed_until, '')) FROM webhook_deliveries WHERE state = 'waiting'
  UNION ALL SELECT coalesce(claimed_until, created_at) FROM jobs WHERE ended_at IS NULL
  UNION ALL SELECT publish_at FROM items WHERE status = 'scheduled'
  ORDER BY at`;

/** A message recorded as sent must not be sent again, and no two processes may send one at the same time. */
export function watchAttempts({ record, receivers, history, world }: Simulation): void {
  receivers.onAttempt = ({ kind, id }) => {
    const [row] = record.rows(STATE_OF[kind], id);
    const state = row?.["state"];
    if (state !== "waiting") world.violation(`A ${kind} is sent although it is ${state}`);
  };
  receivers.onOverlap = ({ kind }, since) => {
    const claimedAt = since - CLAIM_MILLISECONDS_MAX;
    const isForeseen =
      history.limitsDisturbedSince(claimedAt) || history.clocksWrongSince(claimedAt);
    if (!isForeseen) world.violation(`A ${kind} is sent by two at once`);
  };
}

/** Lets time pass until every queue is empty and everything scheduled is published. */
export async function drainQueues(simulation: Simulation): Promise<void> {
  const { world, record } = simulation;
  await simulation.suspend(STEADY_MILLISECONDS);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const waiting = record.rows(WAITING).length;
    if (waiting === 0) return;
    await world.pass(1000);
    if (record.rows(WAITING).length < waiting) continue;
    // Due tasks may have to wait for others, such as deliveries claimed by a dead process.
    const waits = record
      .rows(WAITING)
      .map(({ at }) => Date.parse(String(at)) - (START + world.now))
      .filter((wait) => wait > 0);
    if (waits.length > 0)
      await simulation.suspend(Math.min(ROUND_MILLISECONDS_MAX, Math.min(...waits) + 1000));
  }
  const waiting = record.rows(WAITING).length;
  if (waiting === 0) return;
  world.violation(`${waiting} mails, deliveries, jobs or scheduled items still wait`);
}

/** Everything queued must have arrived at least once, and nothing else. */
export function checkQueues(simulation: Simulation): void {
  checkMails(simulation);
  checkWebhooks(simulation);
  checkJobs(simulation);
}

function checkMails({ record, receivers, world }: Simulation): void {
  const arrived = new Set(receivers.mails.map(({ id }) => id));
  const mails = record.rows("SELECT id, kind, state, fault FROM mails");
  for (const { id, kind, state, fault } of mails) {
    if (state === "sent" && !arrived.has(String(id))) {
      world.violation(`A mail (${kind}) counts as sent, and never arrived`);
    }
    if (state === "given_up") world.violation(`A mail (${kind}) was given up: ${fault}`);
  }
}

function checkWebhooks({ record, receivers, world }: Simulation): void {
  const posted = new Set(receivers.posts.map(({ id }) => id));
  const deliveries = record.rows(
    "SELECT message_id, event, state, attempts FROM webhook_deliveries",
  );
  for (const { message_id: id, event, state, attempts } of deliveries) {
    if (state === "delivered" && !posted.has(String(id))) {
      world.violation(`The delivery of ${event} counts as made, and never arrived`);
    }
    if (state === "failed" && Number(attempts) < ATTEMPTS_OF_WEBHOOKS) {
      world.violation(`The delivery of ${event} failed after ${attempts} attempts`);
    }
  }
  const known = new Set(deliveries.map(({ message_id: id }) => String(id)));
  const keptFrom = world.now - KEPT_MILLISECONDS_MIN;
  for (const { id, at, body } of receivers.posts) {
    const changedAt = Date.parse(JSON.parse(body).timestamp) - START;
    const isKept = Math.min(at, changedAt) > keptFrom;
    if (isKept && !known.has(id)) world.violation(`A webhook got ${id}, which was never queued`);
  }
  checkMissed({ record, receivers, world }, new Date(START + keptFrom).toISOString());
}

/** Every change since a time must have been queued for every webhook. */
function checkMissed(
  { record, receivers, world }: Pick<Simulation, "record" | "receivers" | "world">,
  since: string,
): void {
  const missed = record.rows(
    `SELECT a.action, a.number, w.url FROM audit AS a, webhooks AS w
     WHERE w.state = 'enabled' AND a.at > w.created_at AND a.at > ?
       AND a.number > (SELECT min(audit_number) FROM webhook_deliveries WHERE webhook_id = w.id)
       AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS d
         WHERE d.webhook_id = w.id AND d.audit_number = a.number)`,
    since,
  );
  const arrived = new Set(
    receivers.posts.map(({ url, body }) => `${JSON.parse(body).data.number} ${url}`),
  );
  for (const { action, number, url } of missed) {
    // The delivery was pruned.
    if (arrived.has(`${number} ${url}`)) continue;
    world.violation(`No delivery was queued for ${action}`);
  }
}

function checkJobs({ record, history, world }: Simulation): void {
  const jobs = new Map(
    record.rows("SELECT id, kind, state, error FROM jobs").map((job) => [String(job["id"]), job]),
  );
  for (const { operation, outcome } of history.asked) {
    if (operation.do !== "import" && operation.do !== "export") continue;
    const job = outcome?.kind === "done" ? jobs.get(outcome.made ?? "") : undefined;
    // Jobs are removed a week after they ended.
    if (job === undefined || job["state"] === "done") continue;
    world.violation(`The ${operation.do} ended as ${job["state"]}: ${job["error"]}`);
  }
  for (const { id, kind } of jobs.values()) {
    const isAsked = history.asked.some(
      ({ outcome, operation }) =>
        operation.do === kind && (outcome?.kind !== "done" || outcome.made === id),
    );
    if (!isAsked) world.violation(`There is a job of kind ${kind} that no client asked for`);
  }
}
