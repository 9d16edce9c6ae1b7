import { z } from "zod";
import { timeInputSchema } from "../site/time-zone.ts";
import type { FieldValue } from "../types/content-type.ts";
import { createIssueMessage } from "./issue-messages.ts";

export const STATUSES = ["draft", "scheduled", "published", "archived", "deleted"] as const;
export type Status = (typeof STATUSES)[number];

/** The statuses to which an item can change, keyed by its current status. */
export const STATUS_TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  draft: ["scheduled", "published", "deleted"],
  scheduled: ["published", "draft", "deleted"],
  published: ["draft", "archived", "deleted"],
  archived: ["published", "draft", "deleted"],
  deleted: [],
};

/** A link to another item. The note gives the source of the link or the reason for it. */
export interface Link {
  to: string;
  note: string | null;
}

/**
 * An item in any status, as the record (the source of truth for content) stores it. Times are ISO 8601 in
 * UTC; ids are UUIDv7.
 */
export interface Item {
  id: string;
  type: string;
  path: string;
  title: string;
  summary: string;
  body: string;
  fields: Readonly<Record<string, FieldValue>>;
  /** Links, keyed by relation name. `to` is the id of the linked item. */
  relations: Readonly<Record<string, readonly Link[]>>;
  language: string;
  /** Id of the original that this item translates. */
  translationOf: string | null;
  status: Status;
  publishAt: string | null;
  publishedAt: string | null;
  /** When the service archives the item, if it is still published. */
  expireAt: string | null;
  /** When editors should review the item; no effect on the public site. */
  reviewAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** The number of revisions; 0 once the item is purged. */
  revision: number;
  /** The item's id in the system it was imported from. */
  sourceKey: string | null;
}

export const TITLE_CHARACTERS_MAX = 300;
export const SUMMARY_CHARACTERS_MAX = 300;
export const BODY_BYTES_MAX = 1024 * 1024;

/** An item in editors' lists, without text, fields and relations. */
export type ItemOutline = Omit<Item, "body" | "fields" | "relations">;

export const BODY_TOO_LONG_MESSAGE: (issue: z.core.$ZodRawIssue) => string = createIssueMessage({
  en: "is longer than 1 MiB",
  de: "ist länger als 1 MB",
});

const NAME_CHARACTERS_MAX = 1000;
const NOTE_CHARACTERS_MAX = 300;
const LANGUAGE_CHARACTERS_MAX = 100;
const LINKS_MAX = 1000;
export const REDIRECTS_PER_ITEM_MAX = 100;

const targetNameSchema = z.string().min(1).max(NAME_CHARACTERS_MAX);
const noteSchema = z.string().max(NOTE_CHARACTERS_MAX).nullish();

export const linkInputSchema = z.union(
  [
    targetNameSchema,
    z.strictObject({ to: targetNameSchema, note: noteSchema }),
    z
      .strictObject({
        id: targetNameSchema,
        note: noteSchema,
        path: z.unknown(),
        title: z.unknown(),
        type: z.unknown(),
        status: z.unknown(),
      })
      .partial({ path: true, title: true, type: true, status: true })
      .transform(({ id, note }) => ({ to: id, note })),
  ],
  {
    error: createIssueMessage({
      en: 'name the item by path, source key or id, as "/topics/time" or {"to": "/topics/time"}',
      de: "Nennen Sie den Inhalt mit seiner Adresse, zum Beispiel /topics/time",
    }),
  },
);

/**
 * Normalises a text to NFC before its length is checked. NFC makes some texts longer, and the limits apply
 * to the stored text.
 */
const storedTextSchema = z.string().normalize();

/**
 * The input for an item, from people, imports and the API. Relations name their targets by path
 * (`/topics/time`), source key or id. A link may also have the form in which the API returns links.
 * If the path is missing, it is made from the slug or the title. `redirectFrom` lists addresses on
 * a former site that redirect to the item.
 */
export const itemInputSchema = z.strictObject({
  type: z.string().max(NAME_CHARACTERS_MAX),
  path: z.string().max(NAME_CHARACTERS_MAX).exactOptional(),
  slug: z.string().max(NAME_CHARACTERS_MAX).exactOptional(),
  title: storedTextSchema.trim().min(1).max(TITLE_CHARACTERS_MAX),
  summary: storedTextSchema.trim().max(SUMMARY_CHARACTERS_MAX).default(""),
  body: storedTextSchema
    .refine((text) => Buffer.byteLength(text) <= BODY_BYTES_MAX, { error: BODY_TOO_LONG_MESSAGE })
    .default(""),
  fields: z.record(z.string(), z.unknown()).default({}),
  relations: z.record(z.string(), z.array(linkInputSchema).max(LINKS_MAX)).default({}),
  language: z.string().max(LANGUAGE_CHARACTERS_MAX).exactOptional(),
  translationOf: targetNameSchema.exactOptional(),
  status: z.enum(["draft", "scheduled", "published", "archived"]).default("draft"),
  publishAt: timeInputSchema.exactOptional(),
  publishedAt: timeInputSchema.exactOptional(),
  expireAt: timeInputSchema.exactOptional(),
  reviewAt: timeInputSchema.exactOptional(),
  sourceKey: storedTextSchema.min(1).max(300).exactOptional(),
  redirectFrom: z.array(targetNameSchema).max(REDIRECTS_PER_ITEM_MAX).exactOptional(),
});

export type ItemInput = z.output<typeof itemInputSchema>;
