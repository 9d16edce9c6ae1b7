import { z } from "zod";
import { daySchema, parseUtcDayRange } from "../../../access/days.ts";
import { readSiteStatistics } from "../../../access/statistics.ts";
import { VIEW_KINDS } from "../../../access/views.ts";
import { SEARCH_SOURCES } from "../../../search/search-log.ts";
import { defineRoute, NO_BODY, type Route } from "../route.ts";

const count = z.int();
const day = z.string();

const statistics = defineRoute({
  method: "GET",
  path: "/stats",
  scope: "audit:read",
  summary: "Get searches, views of pages, missing addresses, and use of keys",
  query: z.strictObject({
    since: daySchema
      .exactOptional()
      .meta({ description: "First day; by default 30 days up to the last" }),
    until: daySchema.exactOptional().meta({ description: "Last day, in UTC; by default today" }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(20)
      .meta({ description: "Maximum length of each list of texts, keys and tools" }),
  }),
  body: NO_BODY,
  response: z.object({
    since: day,
    until: day,
    searches: z.object({
      total: count,
      withoutResult: count,
      byDay: z.array(
        z.object({
          day,
          source: z.enum(SEARCH_SOURCES),
          searches: count,
          withoutResult: count,
        }),
      ),
      top: z
        .array(z.object({ text: z.string(), count, hits: count }))
        .meta({ description: "With the highest number of hits; 1000 means 1000 or more" }),
      topWithoutResult: z
        .array(z.object({ text: z.string(), count }))
        .meta({ description: "Searches that never had a hit" }),
    }),
    use: z.object({
      total: count,
      byDay: z.array(z.object({ day, count })),
      byKey: z.array(z.object({ keyId: z.string(), name: z.string(), count })),
      byTool: z.array(z.object({ tool: z.string(), count })),
    }),
    views: z.object({
      total: count.meta({ description: "Pages as HTML" }),
      byDay: z.array(z.object({ day, kind: z.enum(VIEW_KINDS), count })),
      top: z.array(z.object({ path: z.string(), count })),
      missing: z
        .array(z.object({ path: z.string(), count }))
        .meta({ description: "Addresses answered with 404" }),
    }),
    meaning: z.object({ model: z.string(), items: count, done: count }).nullable().meta({
      description: "Number of items with embeddings; null: no model is configured",
    }),
  }),
  async answer({ stores, parts, actor, query: { limit, ...filters }, now }) {
    const period = parseUtcDayRange(filters, now);
    const found = await readSiteStatistics(stores, actor, { ...period, limit });
    return { body: { ...period, ...found, meaning: parts.meaningProgress() } };
  },
});

export const statisticsRoutes: readonly Route[] = [statistics];
