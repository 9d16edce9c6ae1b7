import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { findByAddress } from "../../content/addresses/find-item.ts";
import { requireTypes } from "../../content/lists/filters.ts";
import { relatedGroups } from "../../content/lists/related.ts";
import { defineTool } from "../define-tool.ts";
import { cursorInput, cursorOutput, itemRow, limitInput, nextPage, rowOutput } from "../shapes.ts";

const LIMIT_DEFAULT = 10;

export const getRelatedContent = defineTool({
  name: "get_related_content",
  title: "Get related content",
  description:
    "What an item is linked with, both ways, grouped by relation (works of an author, narrower topics). Use it to move between items. Each group has a total and, if there is more, a cursor.",
  input: z.strictObject({
    url: z.string(),
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
    requireTypes(context.types, types);
    const { item } = findByAddress(reading, url, origin);
    const groups = relatedGroups(reading, item, { view: relation, types, limit, cursor });
    return {
      url: pageUrl(origin, item.path),
      title: item.title,
      type: item.type,
      groups: groups.map(({ view, items, total, nextCursor }) => ({
        relation: view.name,
        label: view.label,
        type: view.otherType,
        items: items.map((each) => itemRow(each, context)),
        total,
        ...nextPage(nextCursor),
      })),
    };
  },
});
