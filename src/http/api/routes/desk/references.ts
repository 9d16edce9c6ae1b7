import { z } from "zod";
import { findReferencesTo } from "../../../../content/editing/references.ts";
import type { ItemOutline } from "../../../../content/items/item.ts";
import { defineRoute, NO_BODY, type Route } from "../../route.ts";
import { outlineResponseSchema, outlineWithUrl } from "../content-shapes.ts";

const referrers = { total: z.int(), items: z.array(outlineResponseSchema) };

const read = defineRoute({
  method: "GET",
  path: "/content/{id}/references",
  scope: "content:read",
  summary: "List what points to an item: relations, links in texts and drafts, other addresses",
  query: z.strictObject({
    limit: z.coerce
      .number()
      .pipe(z.int().min(1).max(100))
      .default(20)
      .meta({ description: "Items listed of each kind" }),
  }),
  body: NO_BODY,
  response: z.object({
    relations: z.array(z.object({ relation: z.string(), ...referrers })),
    texts: z.object(referrers),
    addresses: z.array(z.string()),
    isInNavigation: z.boolean(),
    total: z.int(),
    isCurrent: z.boolean().meta({ description: "false: links saved last may be missing" }),
  }),
  async answer({ stores, parts, actor, pathParameter, query }) {
    const references = await findReferencesTo(
      { ...stores, ...parts },
      actor,
      pathParameter("id"),
      query,
    );
    const toGroupResponse = <Kind extends { items: readonly ItemOutline[] }>(kind: Kind) => ({
      ...kind,
      items: kind.items.map((item) => outlineWithUrl(item, parts.origin)),
    });
    const { relations, texts } = references;
    return {
      body: {
        ...references,
        relations: relations.map(toGroupResponse),
        texts: toGroupResponse(texts),
      },
    };
  },
});

export const referenceRoutes: readonly Route[] = [read];
