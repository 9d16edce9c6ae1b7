import { applyItemPatch } from "../../../items/item-patch.ts";
import type { ContentReader } from "../../../record.ts";
import type { ContentTypes } from "../../../types/content-type.ts";
import type { ParsedItem } from "../../parsed-item.ts";
import { type ItemsNamedInRows, sourceKeyForNamedItem } from "../named-items.ts";

/**
 * Yields the drafts that an earlier import created from names, with their status changed to `published`. They
 * are then published together with the rows that use these names.
 */
export async function* findNameDraftsToPublish(
  record: ContentReader,
  namedItems: ItemsNamedInRows,
  file: string,
  types: ContentTypes,
): AsyncGenerator<ParsedItem> {
  for (const [target, names] of namedItems) {
    const type = types.get(target);
    if (type === undefined) continue;
    for (const [name, { isPublic, line, column }] of names) {
      const item =
        isPublic === false
          ? null
          : await record.itemBySourceKey(sourceKeyForNamedItem(target, name));
      if (item?.status !== "draft") continue;
      const placeOf = () => ({ line, field: column });
      const input = { ...applyItemPatch(item, {}, type), status: "published" as const };
      const noProblems = { problems: [], leftOut: [], skipped: null, isNotPublic: false };
      yield { ...noProblems, file, input, hasStatus: true, placeOf };
    }
  }
}
