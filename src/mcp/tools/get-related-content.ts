import { z } from "zod";
import { pageUrl } from "../../content/addresses.ts";
import { requireTypes } from "../../content/filters.ts";
import { findByAddress } from "../../content/find-item.ts";
import { relatedGroups } from "../../content/related.ts";
import { defineTool } from "../define-tool.ts";
import { cursorOutput, itemRow, limitInput, rowOutput } from "../shapes.ts";

const LIMIT_DEFAULT = 10;

export const getRelatedContent = defineTool({
  name: "get_related_content",
  title: "Get related content",
  description:
    "What a published item is linked with, in both directions, grouped by relation (works and quotations of an author, narrower topics, …). Use it to move from one item to its neighbours. Each group has its total and a cursor that continues it.",
  input: z.strictObject({
    url: z.string(),
    relation: z.string().describe("Only this relation, e.g. quotations").exactOptional(),
    types: z.array(z.string()).describe("Only items of these types").exactOptional(),
    limit: limitInput.describe("Items per group"),
    cursor: z.string().describe("next_cursor of a group").exactOptional(),
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
    requireTypes(reading.types(), types);
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
        next_cursor: nextCursor,
      })),
    };
  },
});
