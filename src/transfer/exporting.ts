import { type Actor, requireScope } from "../access/actor.ts";
import { itemLines } from "./item-lines.ts";
import type { Snapshot } from "./snapshot.ts";

/** Large enough for few round trips to the database, and small enough to bound the memory. */
const BATCH_ITEMS = 200;

/** Items of one type as JSON lines. The text ends with a line break. */
export interface ExportedBatch {
  type: string;
  items: number;
  text: string;
}

/**
 * Exports all items that are not deleted, as batches of JSON lines that an import accepts.
 *
 * @throws {AppError} `forbidden`.
 */
export async function* exportItems(
  snapshot: Snapshot,
  actor: Actor,
): AsyncGenerator<ExportedBatch> {
  requireScope(actor, "transfer:run");
  for (const kind of ["originals", "translations"] as const) {
    let after = "";
    for (;;) {
      const found = await snapshot.items(kind, { after, limit: BATCH_ITEMS });
      for (const [type, items] of Map.groupBy(found, ({ item }) => item.type)) {
        const text = items.flatMap(itemLines).join("\n");
        yield { type, items: items.length, text: `${text}\n` };
      }
      const last = found.at(-1);
      if (last === undefined) break;
      after = last.item.id;
    }
  }
}
