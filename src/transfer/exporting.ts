import { type Actor, requireScope } from "../access/actor.ts";
import { itemLines } from "./item-lines.ts";
import type { Snapshot } from "./snapshot.ts";

/** Items per batch: few round trips in bounded memory. */
const BLOCK_ITEMS = 200;

/** Items of one type as lines, each ending with a line break. */
export interface ExportedBlock {
  type: string;
  items: number;
  text: string;
}

/**
 * Exports all items that are not deleted as JSON lines for an import, in batches.
 *
 * @throws {AppError} `forbidden`.
 */
export async function* exportItems(
  snapshot: Snapshot,
  actor: Actor,
): AsyncGenerator<ExportedBlock> {
  requireScope(actor, "transfer:run");
  for (const kind of ["originals", "translations"] as const) {
    let after = "";
    for (;;) {
      const found = await snapshot.items(kind, { after, limit: BLOCK_ITEMS });
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
