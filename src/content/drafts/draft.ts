import { z } from "zod";
import type { AuditEntry } from "../../access/audit.ts";
import type { Problem, Wording } from "../../errors.ts";
import { describeIssue } from "../items/issue-messages.ts";
import {
  BODY_BYTES_MAX,
  BODY_TOO_LONG_MESSAGE,
  linkInputSchema,
  REDIRECTS_PER_ITEM_MAX,
} from "../items/item.ts";
import { invalidInputError, problemsOf } from "../items/validation.ts";
import { timeInputSchema } from "../site/time-zone.ts";

/**
 * Maps the name of an item's property or field, such as `title` or `fields.year`, to its value; null removes
 * the value.
 */
export type DraftedItemParts = Readonly<Record<string, unknown>>;

/**
 * A private working copy of an existing or new item, shared by all editors. It holds the parts that differ
 * from the item, and can be incomplete. No public surface reads it. Times are ISO 8601 in UTC; ids are
 * UUIDv7.
 */
export interface Draft {
  id: string;
  type: string;
  /** The item that the draft changes; null for a draft of a new item. */
  itemId: string | null;
  /** The item's revision to which the draft's parts apply; null for a draft of a new item. */
  baseRevision: number | null;
  /** The number of saves, from 1. */
  version: number;
  parts: DraftedItemParts;
  /** Names of everyone who saved the draft, in order of their first save. */
  editors: readonly string[];
  /** When the draft will be published; null: not scheduled. */
  publishAt: string | null;
  /** Why the scheduled publication failed; null: it has not failed. */
  problem: DraftProblem | null;
  /** The open request to review the draft; null: there is none. */
  review: ReviewRequest | null;
  createdAt: string;
  updatedAt: string;
}

/** A request to the editors to look at a draft. */
export interface ReviewRequest {
  /** The person or key that asked, named as in the audit log. */
  askedBy: string;
  /** ISO 8601, UTC. */
  askedAt: string;
  /** A note on where to look; may be empty. */
  note: string;
}

/** The id that the audit log uses for a draft: its item's id, or the draft's own if it has no item yet. */
export function auditTargetOfDraft({ itemId, id }: Pick<Draft, "itemId" | "id">): string {
  return itemId ?? id;
}

/**
 * Why a publication failed, as one message. The message's heading and problems are also stored separately,
 * because screens show each problem with the label of its field.
 */
export interface DraftProblem extends Wording {
  heading: Wording | null;
  problems: readonly Problem[];
}

/**
 * The content of a draft: the parts that differ from the item, and the revision of the item that they apply
 * to.
 */
export type DraftContent = Pick<Draft, "parts" | "baseRevision">;

/** A draft in lists. */
export type DraftOutline = Omit<Draft, "parts"> & { title: string | null };

export interface DraftFilter {
  type?: string;
  itemId?: string;
  /** Only drafts saved by this person or key. */
  editor?: string;
  /** Only drafts that are scheduled, or whose scheduled publication failed. */
  waiting?: boolean;
  /** Only drafts whose scheduled publication failed. */
  failed?: boolean;
  /** Only drafts with an open request for review. */
  inReview?: boolean;
  /**
   * True selects drafts without changes, comments and review requests since their creation; false
   * selects all other drafts.
   */
  untouched?: boolean;
  limit: number;
  after?: { updatedAt: string; id: string };
}

export interface DraftStore {
  byId(id: string): Promise<Draft | null>;
  ofItem(itemId: string): Promise<Draft | null>;
  /** The drafts that match a filter, latest change first. */
  list(filter: DraftFilter): Promise<DraftOutline[]>;
  /** Looks up drafts by their own id or the id of their item. The order is not defined. */
  outlines(ids: readonly string[]): Promise<DraftOutline[]>;
  /** Drafts whose publication is due, earliest first. */
  due(now: Date, limit: number): Promise<Draft[]>;
  /** The content of a draft at an earlier version; null if that version has been removed. */
  version(id: string, version: number): Promise<DraftContent | null>;
  /** Inserts or replaces a draft. An autosave has no audit entry. */
  put(draft: Draft, entry: AuditEntry | null): Promise<void>;
  remove(id: string, entry: AuditEntry): Promise<void>;
}

/**
 * Maximum number of characters of a text in a draft. Higher than the limit of an item, so that a draft can
 * be saved before its text is shortened.
 */
const DRAFT_TEXT_CHARACTERS_MAX = 20_000;
const LINKS_MAX = 1000;

const longTextSchema = z.string().max(DRAFT_TEXT_CHARACTERS_MAX).nullable();
const shortTextSchema = z.string().max(1000).nullable();

/** Changes to a draft, in the shape of an item. Every part is optional, and null removes it. */
export const draftChangesSchema = z.strictObject({
  title: longTextSchema.exactOptional(),
  summary: longTextSchema.exactOptional(),
  body: z
    .string()
    .refine((body) => Buffer.byteLength(body) <= BODY_BYTES_MAX, { error: BODY_TOO_LONG_MESSAGE })
    .nullable()
    .exactOptional(),
  path: shortTextSchema.exactOptional(),
  language: shortTextSchema.exactOptional(),
  translationOf: shortTextSchema.exactOptional(),
  publishedAt: timeInputSchema.nullable().exactOptional(),
  expireAt: timeInputSchema.nullable().exactOptional(),
  reviewAt: timeInputSchema.nullable().exactOptional(),
  fields: z.record(z.string(), z.unknown()).exactOptional(),
  relations: z
    .record(z.string(), z.array(linkInputSchema).max(LINKS_MAX).nullable())
    .exactOptional(),
  redirectFrom: z
    .array(z.string().max(1000))
    .max(REDIRECTS_PER_ITEM_MAX)
    .nullable()
    .exactOptional(),
});

export type DraftChanges = z.output<typeof draftChangesSchema>;

/** Parses changes to a draft. @throws {AppError} `invalid`, with a problem for each fault. */
export function parseDraftChanges(input: unknown): DraftChanges {
  const parsed = draftChangesSchema.safeParse(input, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw invalidInputError("the draft", problemsOf(parsed.error));
}
