import { z } from "zod";
import { countLinks, linkStateSchema, listLinks } from "../../../links/listing-links.ts";
import { RECHECKED_LINKS_MAX, recheckLinks } from "../../../links/rechecking.ts";
import { pageQueryShape } from "../page-query.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";

const count = z.int();

const list = defineRoute({
  method: "GET",
  path: "/links",
  scope: "content:read",
  summary: "List the addresses that published items link to, and the result of checking them",
  query: z.strictObject({ state: linkStateSchema.default("broken"), ...pageQueryShape }),
  body: NO_BODY,
  response: z.object({
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
        inMenus: z.boolean().meta({ description: "Whether a menu has the link" }),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  async answer({ stores, actor, query }) {
    const { links: items, nextCursor } = await listLinks(stores, actor, query);
    return { body: { counts: await countLinks(stores.links, actor), items, nextCursor } };
  },
});

const recheck = defineRoute({
  method: "POST",
  path: "/links/recheck",
  scope: "content:write",
  summary: "Check links again as soon as their hosts may be asked; until then they are new",
  query: NO_QUERY,
  body: z.strictObject({ urls: z.array(z.string()).min(1).max(RECHECKED_LINKS_MAX) }),
  response: z.object({ urls: z.array(z.string()) }),
  async answer({ stores, actor, body, now, requestId }) {
    const urls = await recheckLinks(stores.links, actor, body.urls, { now, requestId });
    return { status: 202, body: { urls } };
  },
});

export const linkRoutes: readonly Route[] = [list, recheck];
