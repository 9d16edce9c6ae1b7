import { z } from "zod";
import {
  endPresence,
  PRESENCE_PING_SECONDS,
  recordPresence,
} from "../../../content/drafts/presence.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";

const others = z.object({
  others: z.array(z.object({ actor: z.string(), name: z.string(), seenAt: z.iso.datetime() })),
});

const ping = defineRoute({
  method: "PUT",
  path: "/drafts/{id}/presence",
  scope: "content:write",
  summary: `Say that you have a draft open, every ${PRESENCE_PING_SECONDS} seconds, and read who else has; locks nothing`,
  query: NO_QUERY,
  body: NO_BODY,
  response: others,
  async answer({ stores, actor, pathParameter, now }) {
    const present = await recordPresence(stores, actor, pathParameter("id"), now);
    const people = present.map((each) => ({
      actor: each.actor,
      name: each.name,
      seenAt: each.seenAt,
    }));
    return { body: { others: people } };
  },
});

const leave = defineRoute({
  method: "DELETE",
  path: "/drafts/{id}/presence",
  scope: "content:write",
  summary: "Say that you have closed a draft",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  async answer({ stores, actor, pathParameter }) {
    await endPresence(stores, actor, pathParameter("id"));
    return { status: 204, body: null };
  },
});

export const presenceRoutes: readonly Route[] = [ping, leave];
