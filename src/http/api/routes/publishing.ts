import { z } from "zod";
import type { Actor } from "../../../access/actor.ts";
import {
  archiveItem,
  type ChangeOptions,
  deleteItem,
  publishItem,
  scheduleItem,
  unpublishItem,
} from "../../../content/editing/publishing.ts";
import type { Item } from "../../../content/items/item.ts";
import type { ContentRecord } from "../../../content/record.ts";
import { type ApiReply, type Call, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { itemAnswer, revisionNow } from "./content.ts";
import { itemReply } from "./content-shapes.ts";

type ChangeOfStatus = (
  record: ContentRecord,
  actor: Actor,
  id: string,
  options: ChangeOptions,
) => Promise<Item>;

const schedule = defineRoute({
  method: "POST",
  path: "/content/{id}/schedule",
  scope: "content:publish",
  summary: "Schedule an item for publication, or change its scheduled time",
  query: NO_QUERY,
  body: z.strictObject({ publishAt: z.iso.datetime({ offset: true }) }),
  reply: itemReply,
  changes: revisionNow,
  async answer(call) {
    const { stores, actor, part, body, now, requestId } = call;
    const publishAt = new Date(body.publishAt);
    await scheduleItem(stores.content, actor, part("id"), { now, requestId, publishAt });
    return await itemAnswer(call, part("id"));
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/content/{id}",
  scope: "content:write",
  summary: "Delete an item; for 30 days, restoring a revision brings it back as a draft",
  query: NO_QUERY,
  body: NO_BODY,
  reply: itemReply,
  changes: revisionNow,
  answer: async (call) => await changed(call, deleteItem),
});

export const publishingRoutes: readonly Route[] = [
  byName("publish", publishItem, "Publish an item"),
  byName("unpublish", unpublishItem, "Return an item to draft, as if it had never been public"),
  schedule,
  byName("archive", archiveItem, "Withdraw an item; its address then answers 410"),
  remove,
];

function byName(name: string, change: ChangeOfStatus, summary: string): Route {
  return defineRoute({
    method: "POST",
    path: `/content/{id}/${name}`,
    scope: "content:publish",
    summary,
    query: NO_QUERY,
    body: NO_BODY,
    reply: itemReply,
    changes: revisionNow,
    answer: async (call) => await changed(call, change),
  });
}

async function changed(call: Call, change: ChangeOfStatus): Promise<ApiReply> {
  const { stores, actor, part, now, requestId } = call;
  await change(stores.content, actor, part("id"), { now, requestId });
  return await itemAnswer(call, part("id"));
}
