import { z } from "zod";
import { countLinks, linkStateSchema, listLinks } from "../../../links/listing-links.ts";
import { pageQuery } from "../page-query.ts";
import { defineRoute, NO_BODY, type Route } from "../route.ts";

const count = z.int();

const list = defineRoute({
  method: "GET",
  path: "/links",
  scope: "content:read",
  summary: "List the addresses that published items link to, and the result of checking them",
  query: z.strictObject({ state: linkStateSchema.default("broken"), ...pageQuery }),
  body: NO_BODY,
  reply: z.object({
    counts: z.object({ new: count, good: count, moved: count, broken: count, unsure: count }),
    items: z.array(
      z.object({
        url: z.string(),
        state: linkStateSchema,
        status: z.int().nullable(),
        target: z.string().nullable().meta({ description: "Where it leads for good" }),
        fault: z.string().nullable(),
        failures: count,
        checkedAt: z.iso.datetime().nullable(),
        items: z
          .array(z.object({ id: z.string(), path: z.string(), title: z.string() }))
          .meta({ description: "At most 10 that have the link" }),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  async answer({ stores, actor, query }) {
    const { links: items, nextCursor } = await listLinks(stores, actor, query);
    return { body: { counts: await countLinks(stores.links, actor), items, nextCursor } };
  },
});

export const linkRoutes: readonly Route[] = [list];
