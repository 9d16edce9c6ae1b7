import { z } from "zod";
import { dateOrDateTimeSchema } from "../../../access/audit.ts";
import { autocompleteItems, findContent } from "../../../content/desk/finding.ts";
import {
  describeCreatedItem,
  type ItemDetail,
  readItem,
  readItemUnchecked,
} from "../../../content/editing/desk.ts";
import { changeItem, saveItem } from "../../../content/editing/editing.ts";
import { requireExistingItem } from "../../../content/editing/item-to-change.ts";
import {
  changesStatusOrAddress,
  setsStatusOrAddress,
} from "../../../content/editing/reference-checks.ts";
import { findReferencesToUnchecked } from "../../../content/editing/references.ts";
import { itemInputSchema, STATUSES } from "../../../content/items/item.ts";
import { pageQueryShape } from "../page-query.ts";
import {
  type ApiCall,
  type ApiResponse,
  defineRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";
import {
  foundItemResponseSchema,
  itemResponseSchema,
  itemWithUrl,
  outlineResponseSchema,
  outlineWithUrl,
} from "./content-shapes.ts";

/** A query parameter with several values: `a,b`, or the parameter repeated. */
const commaSeparated = <Value extends string>(value: z.ZodType<Value, string>) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((names) => names.split(",")))
    .pipe(z.array(value).max(20));

const name = z.string().min(1).max(1000);
/** Maximum number of references that are listed when a change needs the client's confirmation. */
export const REFERENCES_SHOWN_MAX = 5;
export const referencesQuerySchema = z.strictObject({
  references: z.enum(["keep"]).exactOptional().meta({
    description:
      "keep: withdraws or moves the item although others point to it; without it they are named with 409",
  }),
});
const NOT_DELETED = STATUSES.filter((status) => status !== "deleted");

/** Query filters: `field:value` or `field:from..to`, where either end of a range may be omitted. */
const fieldFilters = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat())
  .pipe(
    z
      .array(
        z
          .string()
          .max(1000)
          .regex(/^[^:]+:./u, "must be field:value, or field:from..to for a range"),
      )
      .max(20),
  )
  .transform((given) => given.map(parseFilter))
  .refine((filters) => new Set(filters.map(([field]) => field)).size === filters.length, {
    message: "names a field twice; give both ends of a range at once, as field:from..to",
  })
  .transform((filters) => Object.fromEntries(filters));

function parseFilter(given: string): [field: string, value: unknown] {
  const colon = given.indexOf(":");
  const [field, value] = [given.slice(0, colon), given.slice(colon + 1)];
  const [, from, to] = /^(.*?)\.\.(.*)$/u.exec(value) ?? [];
  if (from === undefined || to === undefined) return [field, value];
  return [field, { ...(from === "" ? {} : { from }), ...(to === "" ? {} : { to }) }];
}

const listQuery = z.strictObject({
  type: commaSeparated(name).default([]),
  status: commaSeparated(z.enum(STATUSES)).default(NOT_DELETED),
  language: name.exactOptional(),
  text: z.string().trim().min(1).max(1000).exactOptional().meta({
    description:
      "Words of titles, texts, fields, names of linked items, and of drafts: best matches first",
  }),
  filter: fieldFilters
    .default({})
    .meta({ description: "A field of the type as field:value or field:from..to; repeatable" }),
  path: name.exactOptional(),
  sourceKey: name.exactOptional(),
  relatedTo: name.exactOptional(),
  relation: name.exactOptional(),
  translationOf: name.exactOptional(),
  updatedSince: dateOrDateTimeSchema.exactOptional(),
  reviewBefore: dateOrDateTimeSchema
    .exactOptional()
    .meta({ description: "Items that their editors are to look at again before then" }),
  sort: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: "updated, created, title, path or a sortable field of the type" }),
  order: z.enum(["asc", "desc"]).exactOptional(),
  ...pageQueryShape,
});

const list = defineRoute({
  method: "GET",
  path: "/content",
  scope: "content:read",
  summary:
    "List items of every status, without their texts; deleted ones only if that status is requested",
  query: listQuery,
  body: NO_BODY,
  response: z.object({
    items: z.array(foundItemResponseSchema),
    total: z.int(),
    totalIsExact: z.boolean().meta({ description: "false: there are more" }),
    nextCursor: z.string().nullable(),
    counts: z
      .partialRecord(z.enum([...STATUSES, "new"]), z.int())
      .nullable()
      .meta({ description: "Matches of a text by status" }),
    correctedText: z
      .string()
      .nullable()
      .meta({ description: "What was searched instead of a text with misspelled words" }),
    isCurrent: z
      .boolean()
      .exactOptional()
      .meta({ description: "false: the latest changes are not found yet" }),
  }),
  async answer({ stores, actor, query, parts }) {
    const { type, status, order, updatedSince, reviewBefore, filter, ...rest } = query;
    const { items, ...page } = await findContent(storesWithDeskIndex({ stores, parts }), actor, {
      ...rest,
      types: type,
      statuses: status,
      filters: filter,
      ...(order === undefined ? {} : { descending: order === "desc" }),
      ...(reviewBefore === undefined ? {} : { reviewBefore: new Date(reviewBefore).toISOString() }),
      ...(updatedSince === undefined ? {} : { updatedSince: new Date(updatedSince).toISOString() }),
    });
    return { body: { items: items.map((item) => outlineWithUrl(item, parts.origin)), ...page } };
  },
});

const names = defineRoute({
  method: "GET",
  path: "/content/names",
  scope: "content:read",
  summary:
    "Find items by the beginning of a name, a misspelled one or a part of one, for a field that completes what is typed; best first, exact names before others",
  query: z.strictObject({
    q: z.string().max(200).default(""),
    type: commaSeparated(name).default([]),
    status: commaSeparated(z.enum(STATUSES)).default(NOT_DELETED),
    limit: z.coerce.number().pipe(z.int().min(1).max(20)).default(10),
  }),
  body: NO_BODY,
  response: z.object({ items: z.array(outlineResponseSchema), isCurrent: z.boolean() }),
  async answer({ stores, actor, query, parts }) {
    const { q: text, type: types, status: statuses, limit } = query;
    const search = { text, types, statuses, limit };
    const found = await autocompleteItems(storesWithDeskIndex({ stores, parts }), actor, search);
    const items = found.items.map((item) => outlineWithUrl(item, parts.origin));
    return { body: { ...found, items } };
  },
});

const create = defineRoute({
  method: "POST",
  path: "/content",
  scope: "content:write",
  summary: "Create an item; a draft unless stated otherwise",
  query: NO_QUERY,
  body: itemInputSchema,
  response: itemResponseSchema,
  async answer(call) {
    const { stores, actor, body, now, requestId, parts } = call;
    const { item } = await saveItem(stores.content, actor, body, now, {
      expects: "new",
      requestId,
    });
    const detail = await describeCreatedItem(stores, item, body);
    return {
      ...responseOf(detail, parts.origin),
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
  response: itemResponseSchema,
  async answer({ stores, actor, pathParameter, parts }) {
    const item = await readItem(stores, actor, pathParameter("id"));
    return responseOf(item, parts.origin);
  },
});

const change = defineRoute({
  method: "PATCH",
  path: "/content/{id}",
  scope: "content:write",
  summary: "Apply a JSON Merge Patch to an item; a relation is replaced as a whole",
  query: referencesQuerySchema,
  body: z.record(z.string(), z.unknown()),
  response: itemResponseSchema,
  stateToMatch: readCurrentRevisionNumber,
  async preload({ stores, parts, pathParameter, query, body }) {
    if (query.references === "keep" || !setsStatusOrAddress(body)) return null;
    const item = await stores.content.item(pathParameter("id"));
    if (item === null || !changesStatusOrAddress(item, body)) return null;
    return await findReferencesToUnchecked({ ...stores, ...parts }, item.id, REFERENCES_SHOWN_MAX);
  },
  async answer(call) {
    const { stores, actor, body, now, requestId, preloaded = null } = call;
    const id = call.pathParameter("id");
    const options = { patch: body, now, requestId, references: preloaded };
    await changeItem(stores.content, actor, id, options);
    return await changedItemResponse(call, id);
  },
});

export const contentRoutes: readonly Route[] = [list, names, create, read, change];

/** The stores of a call and the editors' index in one object, as use cases take them. */
export function storesWithDeskIndex({ stores, parts }: Pick<ApiCall, "stores" | "parts">) {
  return { ...stores, deskIndex: parts.deskIndex };
}

/** The current revision number of the item, which is its ETag. */
export async function readCurrentRevisionNumber({
  stores,
  pathParameter,
}: ApiCall): Promise<number> {
  return (await requireExistingItem(stores.content, pathParameter("id"))).revision;
}

/** The item after a change. The caller may see it even without the scope to read content. */
export async function changedItemResponse(
  { stores, parts }: Pick<ApiCall, "stores" | "parts">,
  id: string,
): Promise<ApiResponse> {
  return responseOf(await readItemUnchecked(stores, id), parts.origin);
}

function responseOf(item: ItemDetail, origin: string): ApiResponse {
  return { body: itemWithUrl(item, origin), state: item.revision };
}
