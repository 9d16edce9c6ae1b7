import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { findItemByAddressOrName } from "../../content/addresses/find-item.ts";
import { requireTypes } from "../../content/lists/filters.ts";
import { listRelatedGroups, type RelatedGroup } from "../../content/lists/related.ts";
import { defineTool } from "../define-tool.ts";
import type { CallContext } from "../mcp-features.ts";
import { toResultRows } from "../results/rows.ts";
import {
  cursorInput,
  cursorOutput,
  limitInput,
  nextCursorProperty,
  rowOutput,
} from "../results/shapes.ts";

const LIMIT_DEFAULT = 10;

export const getRelatedContent = defineTool({
  name: "get_related_content",
  title: "Get related content",
  description:
    "What an item is linked with, both ways, grouped by relation (works of an author, narrower topics). Use it to move between items. Each group has a total and, if there is more, a cursor.",
  input: z.strictObject({
    url: z.string().describe("URL or name"),
    relation: z.string().describe("e.g. quotations").exactOptional(),
    types: z.array(z.string()).describe("e.g. work").exactOptional(),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.looseObject({
    url: z.string(),
    title: z.string(),
    groups: z.array(
      z.looseObject({
        relation: z.string(),
        items: z.array(rowOutput),
        total: z.int(),
        next_cursor: cursorOutput,
      }),
    ),
  }),
  answer({ url, relation, types = [], limit = LIMIT_DEFAULT, cursor }, context) {
    const { reading, origin } = context;
    const requestedTypes = types.length === 0 ? [] : requireTypes(context.types, types);
    const { item } = findItemByAddressOrName(reading, url, origin);
    const groups = listRelatedGroups(reading, item, {
      view: relation,
      types: requestedTypes.map(({ name }) => name),
      limit,
      cursor,
    });
    return {
      url: pageUrl(origin, item.path),
      title: item.title,
      type: item.type,
      groups: groups.map((group) => groupRow(group, context)),
    };
  },
});

function groupRow({ view, items, total, nextCursor }: RelatedGroup, context: CallContext) {
  const { rows, linkNotesProperty } = toResultRows(items, context);
  return {
    relation: view.name,
    type: view.otherType,
    total,
    ...linkNotesProperty,
    items: rows,
    ...nextCursorProperty(nextCursor),
  };
}
