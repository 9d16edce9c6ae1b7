import { z } from "zod";
import { pageUrl } from "../../../content/addresses/addresses.ts";
import type { ItemDetail } from "../../../content/editing/desk.ts";
import { type ItemOutline, STATUSES } from "../../../content/items/item.ts";

const time = z.iso.datetime();
const status = z.enum(STATUSES);

const outline = {
  id: z.string(),
  type: z.string(),
  path: z.string(),
  title: z.string(),
  summary: z.string(),
  language: z.string(),
  translationOf: z.string().nullable(),
  status,
  publishAt: time.nullable(),
  publishedAt: time.nullable(),
  expireAt: time.nullable().meta({ description: "When the clock archives it, once published" }),
  reviewAt: time.nullable().meta({ description: "When its editors are to look at it again" }),
  createdAt: time,
  updatedAt: time,
  revision: z.int(),
  sourceKey: z.string().nullable(),
};

const url = z.string().nullable().meta({ description: "Where the public reads it; null: nowhere" });

export const outlineResponseSchema = z.object({ ...outline, url }).meta({ id: "ItemOutline" });

export const foundItemResponseSchema = z.object({
  ...outline,
  url,
  snippet: z
    .string()
    .exactOptional()
    .meta({ description: "Plain text around the words that were found" }),
});

/** An item as stored in a revision; relations refer to targets by id. */
const savedItem = z.object({
  ...outline,
  body: z.string(),
  fields: z.record(z.string(), z.unknown()),
  relations: z.record(
    z.string(),
    z.array(z.object({ to: z.string(), note: z.string().nullable() })),
  ),
});

export const itemResponseSchema = z
  .object({
    ...savedItem.shape,
    url,
    relations: z.record(
      z.string(),
      z.array(
        z.object({
          id: z.string(),
          note: z.string().nullable(),
          path: z.string(),
          title: z.string(),
          type: z.string(),
          status,
        }),
      ),
    ),
    incoming: z
      .array(z.object({ relation: z.string(), total: z.int() }))
      .meta({ description: "Number of items that point at it, by relation" }),
    translations: z.array(outlineResponseSchema),
    formerPaths: z.array(z.string()),
    redirectFrom: z.array(z.string()),
    missingMedia: z
      .array(z.string())
      .meta({ description: "Paths of missing files its texts refer to" }),
  })
  .meta({ id: "Item" });

export const revisionResponseSchema = z
  .object({
    revision: z.int(),
    at: time,
    actor: z.string(),
    action: z.string(),
    item: savedItem.exactOptional(),
  })
  .meta({ id: "Revision" });

export function outlineWithUrl<Outline extends ItemOutline>(
  item: Outline,
  origin: string,
): Outline & { url: string | null } {
  return { ...item, url: item.status === "published" ? pageUrl(origin, item.path) : null };
}

export function itemWithUrl(item: ItemDetail, origin: string): z.input<typeof itemResponseSchema> {
  return {
    ...item,
    url: item.status === "published" ? pageUrl(origin, item.path) : null,
    relations: Object.fromEntries(
      Object.entries(item.relations).map(([name, links]) => [name, [...links]]),
    ),
    incoming: [...item.incoming],
    translations: item.translations.map((other) => outlineWithUrl(other, origin)),
    formerPaths: [...item.formerPaths],
    redirectFrom: [...item.redirectFrom],
    missingMedia: [...item.missingMedia],
  };
}
