import type { Asked } from "./history.ts";
import type { Operation } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

interface Stored {
  id: string;
  revision: number;
  status: string;
  title: string;
}

/**
 * The record must contain what was acknowledged, in that order, and nothing that was refused. Without an
 * answer, or with one that leaves the outcome open, both are correct.
 */
export function checkRecord(simulation: Simulation): void {
  const { history, world } = simulation;
  const stored = readRecord(simulation);
  for (const asked of history.asked) {
    const fault = faultOf(asked, stored);
    if (fault !== null) {
      world.violation(`${asked.operation.do} (${asked.requestId}) ${fault}`);
    }
  }
  for (const fault of orderFaults(history.asked)) world.violation(fault);
  for (const [id, { title, status, revision }] of stored.items) {
    const last = stored.revisions.get(`${id} ${revision}`);
    if (revision === 0 || last === undefined) continue;
    if (last.title !== title || last.status !== status) {
      world.violation(`The item "${title}" (${status}) differs from its last revision`);
    }
  }
}

interface StoredRecord {
  items: ReadonlyMap<string, Stored>;
  revisions: ReadonlyMap<string, Stored>;
  /** Number of entries in the audit log that name the request. */
  entries: ReadonlyMap<string, number>;
  messages: readonly string[];
}

function readRecord({ record }: Simulation): StoredRecord {
  const items = record.rows("SELECT id, revision, status, title FROM items").map(storedOf);
  const revisions = record
    .rows("SELECT item FROM revisions")
    .map(({ item }) => storedOf(JSON.parse(String(item))));
  const entries = record.rows(
    "SELECT request_id, count(*) AS entries FROM audit WHERE request_id IS NOT NULL GROUP BY request_id",
  );
  return {
    items: new Map(items.map((item) => [item.id, item])),
    revisions: new Map(revisions.map((item) => [`${item.id} ${item.revision}`, item])),
    entries: new Map(entries.map((row) => [String(row["request_id"]), Number(row["entries"])])),
    messages: record.rows("SELECT text FROM messages").map(({ text }) => String(text)),
  };
}

function storedOf(row: Readonly<Record<string, unknown>>): Stored {
  return {
    id: String(row["id"]),
    revision: Number(row["revision"]),
    status: String(row["status"]),
    title: String(row["title"]),
  };
}

function faultOf({ operation, outcome, requestId }: Asked, stored: StoredRecord): string | null {
  const entries = stored.entries.get(requestId) ?? 0;
  if (entries > entriesMax(operation)) return `was done ${entries} times`;
  if (outcome === null || outcome.kind === "unknown") return null;
  if (outcome.kind === "refused") {
    const isKept = entries > 0 || stored.messages.includes(requestId);
    return isKept ? `was refused (${outcome.why}), and is in the record` : null;
  }
  const mustLog = ["save", "message", "export"].includes(operation.do);
  if (mustLog && entries === 0) return "was acknowledged, and is not in the record";
  const faults = outcome.changed.map((change) => changeFault(operation, change, stored));
  return faults.find((fault) => fault !== null) ?? null;
}

function changeFault(
  operation: Operation,
  { id, revision, status }: { id: string; revision: number; status: string },
  { items, revisions }: StoredRecord,
): string | null {
  // A purged item has no revisions.
  if (items.get(id)?.revision === 0) return null;
  const found = revisions.get(`${id} ${revision}`);
  if (found === undefined) return `was acknowledged as revision ${revision}, which is not there`;
  if (found.status !== status) return `was acknowledged as ${status}, and is ${found.status}`;
  if (operation.do !== "save" || found.title === operation.title) return null;
  return `was acknowledged as "${operation.title}", and is "${found.title}"`;
}

function entriesMax(operation: Operation): number {
  return operation.do === "saveTogether" ? operation.items.length : 1;
}

/** A change that was answered before another was requested must have the smaller revision. */
function orderFaults(all: readonly Asked[]): string[] {
  const changes = all.flatMap(({ outcome, at, endedAt, requestId }) =>
    outcome?.kind === "done"
      ? outcome.changed.map(({ id, revision }) => ({ id, revision, at, endedAt, requestId }))
      : [],
  );
  return changes.flatMap((one) =>
    changes
      .filter(
        ({ id, at, revision }) => id === one.id && at > one.endedAt && revision < one.revision,
      )
      .map((other) => `${other.requestId} came after ${one.requestId}, and has a smaller revision`),
  );
}
