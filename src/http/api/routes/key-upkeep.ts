import { z } from "zod";
import { daySchema, parseUtcDayRange } from "../../../access/days.ts";
import { revokeKeysOfHolder } from "../../../access/keys/key-changes.ts";
import { toKeyWithStatus } from "../../../access/keys/key-lists.ts";
import { removeUnusedKeyRights } from "../../../access/keys/key-narrowing.ts";
import { readKeyUse } from "../../../access/keys/key-use.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { keyDetailsResponse, keyFromPath, keyResponseSchema, keyStateForIfMatch } from "./keys.ts";

const text = z.string();

/**
 * Routes that report how keys are used, and that narrow or revoke keys. `all` returns the route table, in
 * which these routes look up the scope that a used route requires.
 */
export function keyUpkeepRoutes(all: () => readonly Route[]): readonly Route[] {
  const scopeOf = (use: string) =>
    all().find(({ method, path }) => use === `api ${method} ${path}`)?.scope ?? null;
  const narrow = defineRoute({
    method: "POST",
    path: "/keys/{id}/narrow",
    scope: "keys:manage",
    summary: "Take away the scopes and tools that a key did not use",
    query: NO_QUERY,
    body: z
      .strictObject({
        since: daySchema
          .exactOptional()
          .meta({ description: "First day; by default 30 days up to today" }),
      })
      .prefault({}),
    response: keyResponseSchema,
    stateToMatch: async (call) => keyStateForIfMatch(await keyFromPath(call)),
    async answer({ stores, actor, pathParameter, parts, body, now, requestId }) {
      const needs = { scopeOf, toolNames: parts.toolNames };
      const options = { period: parseUtcDayRange(body, now), needs, now, requestId };
      return keyDetailsResponse(
        await removeUnusedKeyRights(stores, actor, pathParameter("id"), options),
        now,
      );
    },
  });
  return [revokeAll, narrow, usage];
}

const revokeAll = defineRoute({
  method: "POST",
  path: "/keys/revoke",
  scope: "keys:manage",
  summary: "Revoke every working key of a holder",
  query: NO_QUERY,
  body: z.strictObject({
    holder: text
      .min(1)
      .max(2000)
      .meta({ description: "The whole contact or owner of the keys, ignoring case" }),
    why: text.default("").meta({ description: "The reason, for the record" }),
  }),
  response: z.object({ items: z.array(keyResponseSchema) }),
  async answer({ stores, actor, body: { holder, why }, now, requestId }) {
    const revoked = await revokeKeysOfHolder(stores.keys, actor, holder, { why, now, requestId });
    return { body: { items: revoked.map((key) => toKeyWithStatus(key, now)) } };
  },
});

const usage = defineRoute({
  method: "GET",
  path: "/keys/{id}/usage",
  scope: "keys:manage",
  summary: "Get the use of a key, by day and tool",
  query: z.strictObject({
    since: daySchema
      .exactOptional()
      .meta({ description: "First day; by default 30 days up to the last" }),
    until: daySchema.exactOptional().meta({ description: "Last day, in UTC; by default today" }),
  }),
  body: NO_BODY,
  response: z.object({
    since: text,
    until: text,
    total: z.int(),
    items: z.array(z.object({ day: text, tool: text, count: z.int() })),
  }),
  async answer({ stores, actor, pathParameter, query, now }) {
    const period = parseUtcDayRange(query, now);
    const use = await readKeyUse(stores, actor, pathParameter("id"), period);
    const items = use.map(({ day, tool, count }) => ({ day, tool, count }));
    const total = items.reduce((sum, { count }) => sum + count, 0);
    return { body: { ...period, total, items } };
  },
});
