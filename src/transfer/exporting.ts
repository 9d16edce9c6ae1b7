import { type Actor, requireScope } from "../access/actor.ts";
import { LAST_CHANGE_KEY } from "../content/import/parsing/last-change.ts";
import { jsonLinesOfItem } from "./item-lines.ts";
import type { Snapshot } from "./snapshot.ts";

/** Items as JSON lines. The text ends with a line break. */
export interface ExportedBatch {
  /** Number of items, without deleted ones. */
  items: number;
  text: string;
}

/**
 * Yields items as batches of JSON lines, for an import. Keeps the order of the snapshot, so that a new site
 * lists the items in the same order. The lines of deleted items come last. They make the addresses of these
 * items answer 410 on the new site too.
 *
 * @param kinds whether to export present items, deleted items, or both.
 * @throws {AppError} `forbidden`.
 */
export async function* exportItems(
  snapshot: Snapshot,
  actor: Actor,
  kinds: readonly ("present" | "deleted")[] = ["present", "deleted"],
): AsyncGenerator<ExportedBatch> {
  requireScope(actor, "transfer:run");
  const isShadowed = await typesWithOwnLastChange(snapshot);
  for (const kind of kinds) {
    for await (const batch of snapshot.items(kind)) {
      const lines = batch.flatMap((each) =>
        jsonLinesOfItem(each, { statesLastChange: !isShadowed.has(each.item.type) }),
      );
      yield { items: kind === "deleted" ? 0 : batch.length, text: `${lines.join("\n")}\n` };
    }
  }
}

async function typesWithOwnLastChange(snapshot: Snapshot): Promise<ReadonlySet<string>> {
  const types = await snapshot.declaredTypes();
  const shadowing = types.filter(
    ({ fields, relations }) => LAST_CHANGE_KEY in fields || LAST_CHANGE_KEY in relations,
  );
  return new Set(shadowing.map(({ name }) => name));
}
