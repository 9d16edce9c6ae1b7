import { z } from "zod";
import { momentSchema } from "../../../access/audit.ts";
import {
  ITEM_SORTS,
  type ItemDetail,
  itemDetail,
  listItems,
  newItemDetail,
  readItem,
} from "../../../content/editing/desk.ts";
import { changeItem, saveItem } from "../../../content/editing/editing.ts";
import { existingItem } from "../../../content/editing/publishing.ts";
import { itemInputSchema, STATUSES } from "../../../content/items/item.ts";
import { pageQuery } from "../page-query.ts";
import { type ApiReply, type Call, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { itemReply, outlineReply, shownItem, shownOutline } from "./content-shapes.ts";

/** `a,b` or a repeated parameter. */
const someOf = <Value extends string>(value: z.ZodType<Value, string>) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((names) => names.split(",")))
    .pipe(z.array(value).max(20));

const name = z.string().min(1).max(1000);

const listQuery = z.strictObject({
  type: someOf(name).default([]),
  status: someOf(z.enum(STATUSES)).default(STATUSES.filter((status) => status !== "deleted")),
  language: name.exactOptional(),
  text: z.string().min(1).max(200).exactOptional(),
  path: name.exactOptional(),
  sourceKey: name.exactOptional(),
  relatedTo: name.exactOptional(),
  relation: name.exactOptional(),
  translationOf: name.exactOptional(),
  updatedSince: momentSchema.exactOptional(),
  sort: z.enum(ITEM_SORTS).default("updated"),
  order: z.enum(["asc", "desc"]).exactOptional(),
  ...pageQuery,
});

const list = defineRoute({
  method: "GET",
  path: "/content",
  scope: "content:read",
  summary:
    "List items of every status, without their texts; deleted ones only if that status is requested",
  query: listQuery,
  body: NO_BODY,
  reply: z.object({
    items: z.array(outlineReply),
    total: z.int(),
    nextCursor: z.string().nullable(),
  }),
  async answer({ stores, actor, query, parts }) {
    const { type, status, order, updatedSince, ...filters } = query;
    const { items, ...rest } = await listItems(stores, actor, {
      ...filters,
      types: type,
      statuses: status,
      descending: (order ?? (filters.sort === "updated" ? "desc" : "asc")) === "desc",
      ...(updatedSince === undefined ? {} : { updatedSince: new Date(updatedSince).toISOString() }),
    });
    return { body: { items: items.map((item) => shownOutline(item, parts.origin)), ...rest } };
  },
});

const create = defineRoute({
  method: "POST",
  path: "/content",
  scope: "content:write",
  summary: "Create an item; a draft unless stated otherwise",
  query: NO_QUERY,
  body: itemInputSchema,
  reply: itemReply,
  async answer(call) {
    const { stores, actor, body, now, requestId, parts } = call;
    const { item } = await saveItem(stores.content, actor, body, now, {
      expects: "new",
      requestId,
    });
    const detail = await newItemDetail(stores, item, body);
    return {
      ...shownAnswer(detail, parts.origin),
      status: 201,
      headers: { Location: `/api/v1/content/${item.id}` },
    };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/content/{id}",
  scope: "content:read",
  summary: "Get an item as stored, with its context",
  query: NO_QUERY,
  body: NO_BODY,
  reply: itemReply,
  async answer({ stores, actor, part, parts }) {
    const item = await readItem(stores, actor, part("id"));
    return shownAnswer(item, parts.origin);
  },
});

const change = defineRoute({
  method: "PATCH",
  path: "/content/{id}",
  scope: "content:write",
  summary: "Apply a JSON Merge Patch to an item; a relation is replaced as a whole",
  query: NO_QUERY,
  body: z.record(z.string(), z.unknown()),
  reply: itemReply,
  changes: revisionNow,
  async answer(call) {
    const { stores, actor, body, now, requestId } = call;
    const id = call.part("id");
    await changeItem(stores.content, actor, id, { patch: body, now, requestId });
    return await itemAnswer(call, id);
  },
});

export const contentRoutes: readonly Route[] = [list, create, read, change];

/** The ETag of an item is its revision number. */
export async function revisionNow({ stores, part }: Call): Promise<number> {
  return (await existingItem(stores.content, part("id"))).revision;
}

/** The item after a change; its author may see it without the scope to read. */
export async function itemAnswer(
  { stores, parts }: Pick<Call, "stores" | "parts">,
  id: string,
): Promise<ApiReply> {
  return shownAnswer(await itemDetail(stores, id), parts.origin);
}

function shownAnswer(item: ItemDetail, origin: string): ApiReply {
  return { body: shownItem(item, origin), state: item.revision };
}
