import { z } from "zod";
import { STATUSES } from "../../../content/items/item.ts";
import type { MediaFile } from "../../../content/media/media.ts";
import { type SiteProfile, siteProfileSchema } from "../../../content/site/site.ts";
import { type ContentType, contentTypeSchema } from "../../../content/types/content-type.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import type { BufferedChange, ReadingWriter } from "./reading-writer.ts";

/** A call of a {@link ReadingWriter}, as data. */
export type ReadingChange =
  | BufferedChange
  | { kind: "putMedium"; medium: MediaFile }
  | { kind: "removeMedium"; id: string }
  | { kind: "saveSite"; profile: SiteProfile; types: readonly ContentType[] };

/** The public changes of one record transaction, or of a part of it. */
export interface ChangeLogEntry {
  /** Row number of every item in the changes, keyed by item id. */
  numbers: Readonly<Record<string, number>>;
  changes: readonly ReadingChange[];
  /** Whether the next entry continues this transaction. */
  isContinued: boolean;
}

/**
 * Version of the entry format. Raise it when an older version of this program would misread new
 * entries.
 */
const FORMAT_VERSION = 1;

const text = z.string();
const textOrNull = z.string().nullable();

const item = z.object({
  id: text,
  type: text,
  path: text,
  title: text,
  summary: text,
  body: text,
  fields: z.record(text, z.union([text, z.number(), z.boolean(), z.array(text)])),
  relations: z.record(text, z.array(z.object({ to: text, note: textOrNull }))),
  language: text,
  translationOf: textOrNull,
  status: z.enum(STATUSES),
  publishAt: textOrNull,
  publishedAt: textOrNull,
  // Absent in entries of the previous version.
  expireAt: textOrNull.default(null),
  reviewAt: textOrNull.default(null),
  createdAt: text,
  updatedAt: text,
  revision: z.number(),
  sourceKey: textOrNull,
});

const retiredItem = z.object({ id: text, type: text, path: text, title: text, updatedAt: text });

const medium = z.object({
  id: text,
  type: text,
  bytes: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  name: text,
  alt: text,
  isDecorative: z.boolean().default(false),
  credit: text,
  alwaysPublic: z.boolean().default(false),
  addedBy: text,
  addedAt: text,
  updatedAt: text,
  revision: z.number(),
});

const change = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("put"), item }),
  z.object({ kind: z.literal("retire"), item: retiredItem, gone: z.boolean() }),
  z.object({ kind: z.literal("redirect"), from: text, toItemId: text }),
  z.object({ kind: z.literal("lead"), from: text, toPath: text }),
  z.object({ kind: z.literal("leadNowhere"), from: text }),
  z.object({ kind: z.literal("dropRedirect"), from: text }),
  z.object({ kind: z.literal("putMedium"), medium }),
  z.object({ kind: z.literal("removeMedium"), id: text }),
  z.object({
    kind: z.literal("saveSite"),
    profile: siteProfileSchema,
    types: z.array(contentTypeSchema),
  }),
]) satisfies z.ZodType<ReadingChange>;

const entry = z.object({
  form: z.literal(FORMAT_VERSION),
  numbers: z.record(text, z.number().int().positive()),
  changes: z.array(change),
  isContinued: z.boolean(),
}) satisfies z.ZodType<ChangeLogEntry>;

/**
 * Serializes an entry as JSON, except its `numbers` object. Returns the text before this object and the text
 * after it.
 */
export function serializeEntryAroundNumbers({
  changes,
  isContinued,
}: Omit<ChangeLogEntry, "numbers">): [before: string, after: string] {
  const before = JSON.stringify({ form: FORMAT_VERSION, changes, isContinued }).slice(0, -1);
  return [`${before},"numbers":`, "}"];
}

/** Returns null if the entry is truncated, or was written by a newer version of this program. */
export function parseChangeLogEntry(serialized: string): ChangeLogEntry | null {
  return entry.safeParse(jsonOrNull(serialized)).data ?? null;
}

function jsonOrNull(serialized: string): unknown {
  try {
    return JSON.parse(serialized);
  } catch {
    return null;
  }
}

/** Returns the ids of all items that a change contains or refers to. */
export function itemIdsOfChange(change: ReadingChange): string[] {
  switch (change.kind) {
    case "put": {
      const { id, translationOf, relations } = change.item;
      const targets = Object.values(relations).flatMap((links) => links.map(({ to }) => to));
      return translationOf === null ? [id, ...targets] : [id, translationOf, ...targets];
    }
    case "retire":
      return [change.item.id];
    case "redirect":
      return [change.toItemId];
    case "lead":
    case "leadNowhere":
    case "dropRedirect":
    case "putMedium":
    case "removeMedium":
    case "saveSite":
      return [];
  }
}

/**
 * Applies a change to a writer in steps. Returns true if the types changed, so that all published
 * items must be put again.
 */
export function* applyChange(
  writer: ReadingWriter,
  change: ReadingChange,
): ComputationSteps<boolean> {
  switch (change.kind) {
    case "put":
      writer.put(change.item);
      return false;
    case "retire":
      writer.retire(change.item, change.gone);
      return false;
    case "redirect":
      writer.redirect(change.from, change.toItemId);
      return false;
    case "lead":
      writer.lead(change.from, change.toPath);
      return false;
    case "leadNowhere":
      writer.leadNowhere(change.from);
      return false;
    case "dropRedirect":
      writer.dropRedirect(change.from);
      return false;
    case "putMedium":
      yield* writer.flush();
      writer.putMedium(change.medium);
      return false;
    case "removeMedium":
      yield* writer.flush();
      writer.removeMedium(change.id);
      return false;
    case "saveSite":
      yield* writer.flush();
      return writer.saveSite(
        change.profile,
        new Map(change.types.map((type) => [type.name, type])),
      );
  }
}
