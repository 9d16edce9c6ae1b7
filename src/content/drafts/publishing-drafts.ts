import { type Actor, requireScope } from "../../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { changeItem, saveItem } from "../editing/editing.ts";
import { requireExistingItem } from "../editing/item-to-change.ts";
import { requireNoBrokenReferences } from "../editing/reference-checks.ts";
import {
  findReferencesToUnchecked,
  type ReferenceStores,
  type References,
} from "../editing/references.ts";
import { draftTitle } from "../items/first-words.ts";
import { describeIssue } from "../items/issue-messages.ts";
import { type Item, itemInputSchema } from "../items/item.ts";
import { withoutNulls } from "../items/merge-patch.ts";
import { invalidInputError, problemsOf } from "../items/validation.ts";
import { auditTargetOfDraft, type Draft, type DraftStore } from "./draft.ts";
import { requireDraftVersion, requireExistingDraft } from "./draft-at-version.ts";
import { mergeChangedParts, type PartConflict } from "./merging.ts";
import { isSameValue, partsOfItem, patchFromParts } from "./parts.ts";
import { type DraftStores, readItemAndBaseRevision, rebaseDraft } from "./saving.ts";

const DUE_DRAFTS_PER_RUN = 50;

interface Options extends ChangeContext {
  /** Optimistic concurrency: fail with `precondition` unless the draft is at this version. */
  version?: number;
  /**
   * The references to the item; a change of address that breaks one of them is refused. Null:
   * broken references are accepted.
   */
  references?: References | null;
}

/**
 * Writes a draft into its item, or creates the item, and removes the draft. Parts that others changed since
 * the base revision are merged as in {@link mergeChangedParts}.
 *
 * @param status `published`: publishes the item. `kept`: the item keeps its status, and a new item is saved
 * as `draft`.
 * @throws {AppError} `conflict`, with a problem for each part that the two sides changed differently;
 * `invalid`, `precondition`, `not_found`. After an error, nothing is saved.
 */
export async function applyDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
  {
    status,
    version,
    now,
    references = null,
    requestId,
  }: Options & {
    status: "published" | "kept";
  },
): Promise<Item> {
  requireScope(actor, status === "published" ? "content:publish" : "content:write");
  const draft = await requireExistingDraft(stores.drafts, id);
  requireDraftVersion(draft, version);
  if (draft.publishAt !== null) requireScope(actor, "content:publish");
  const options = { now, status, references, ...(requestId === undefined ? {} : { requestId }) };
  const item =
    draft.itemId === null
      ? await createItem(stores, actor, draft, options)
      : await changeExisting(stores, actor, draft, options);
  const action = status === "published" ? "draft.publish" : "draft.apply";
  const entry = auditEntryForChange(action, item.path, { actor, now, requestId });
  await stores.drafts.remove(id, { ...entry, detail: `Written by ${draft.editors.join(", ")}` });
  return item;
}

/**
 * A part of a draft: `mine` is its value in the draft, `theirs` in the item, and `base` in the revision
 * that the draft is based on.
 */
export interface ComparedPart extends PartConflict {
  isConflict: boolean;
}

/** Compares a draft with its item, part by part. */
export async function compareDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
): Promise<{ draft: Draft; parts: ComparedPart[] }> {
  requireScope(actor, "content:read");
  const draft = await requireExistingDraft(stores.drafts, id);
  const { item, base } = await readItemAndBaseRevision(stores, draft);
  const sides = {
    base: base === null ? {} : partsOfItem(base),
    theirs: item === null ? {} : partsOfItem(item),
  };
  const conflicts = new Set(
    mergeChangedParts(draft.parts, sides).conflicts.map(({ part }) => part),
  );
  const parts = Object.entries(draft.parts).map(([part, mine]) => ({
    part,
    base: sides.base[part] ?? null,
    theirs: sides.theirs[part] ?? null,
    mine,
    isConflict: conflicts.has(part),
  }));
  return { draft, parts: parts.filter(({ theirs, mine }) => !isSameValue(theirs, mine)) };
}

/**
 * Schedules the publication of a draft and ends its request for review. A null time cancels the schedule.
 *
 * @throws {AppError} `invalid` if the time is not in the future; `conflict`, `precondition`, `not_found`.
 */
export async function scheduleDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
  { publishAt, version, now, references = null, requestId }: Options & { publishAt: Date | null },
): Promise<Draft> {
  requireScope(actor, "content:publish");
  const draft = await requireExistingDraft(stores.drafts, id);
  requireDraftVersion(draft, version);
  if (publishAt !== null && publishAt <= now) {
    const message = {
      en: "is in the past; publish the draft instead",
      de: "liegt in der Vergangenheit: Veröffentlichen Sie den Entwurf stattdessen gleich",
    };
    throw new AppError(
      "invalid",
      { en: `publishAt ${message.en}`, de: `Die Zeit ${message.de}` },
      { problems: [{ where: "publishAt", message }] },
    );
  }
  const { item, base } = await readItemAndBaseRevision(stores, draft);
  const { conflicts } = rebaseDraft(draft, { item, base });
  if (publishAt !== null && conflicts.length > 0) throw conflictError(conflicts);
  if (publishAt !== null && item !== null) {
    requireNoBrokenReferences(references, item, { status: item.status, path: pathOf(draft, item) });
  }
  const scheduledDraft = {
    ...draft,
    version: draft.version + 1,
    publishAt: publishAt?.toISOString() ?? null,
    problem: null,
    review: publishAt === null ? draft.review : null,
    updatedAt: now.toISOString(),
  };
  const action = publishAt === null ? "draft.unschedule" : "draft.schedule";
  const entry = auditEntryForChange(action, auditTargetOfDraft(draft), { actor, now, requestId });
  await stores.drafts.put(scheduledDraft, entry);
  return scheduledDraft;
}

/** Returns the references to the draft's item if the draft changes the item's address; otherwise null. */
export async function findReferencesAffectedByDraft(
  stores: ReferenceStores & Pick<DraftStores, "drafts">,
  id: string,
  limit: number,
): Promise<References | null> {
  const draft = await requireExistingDraft(stores.drafts, id);
  const item = draft.itemId === null ? null : await stores.content.item(draft.itemId);
  if (item === null || pathOf(draft, item) === item.path) return null;
  return await findReferencesToUnchecked(stores, item.id, limit);
}

function pathOf({ parts }: Draft, item: Item): string {
  const { path = item.path } = parts;
  return typeof path === "string" ? path : item.path;
}

export interface DraftRecord {
  drafts: DraftStore;
  /** Runs a change to content and drafts as one transaction. */
  atomically<T>(change: (stores: DraftStores) => Promise<T>): Promise<T>;
}

/**
 * Publishes the scheduled drafts that are due. A draft that cannot be published is unscheduled, and its
 * `problem` says why.
 */
export async function publishDueDrafts(record: DraftRecord, now: Date): Promise<void> {
  const due = await record.drafts.due(now, DUE_DRAFTS_PER_RUN);
  for (const { id, version } of due) {
    try {
      await record.atomically((stores) =>
        applyDraft(stores, CLOCK_ACTOR, id, { status: "published", version, now }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      // These error codes mean that someone has since saved, published or discarded the draft. If the draft is
      // still due, the next run publishes it.
      if (error.code === "precondition" || error.code === "not_found") continue;
      await record.atomically((stores) => keepProblem(stores, id, { error, now }));
    }
  }
}

const CLOCK_ACTOR: Actor = { kind: "clock" };

async function keepProblem(
  { drafts }: DraftStores,
  id: string,
  { error, now }: { error: AppError; now: Date },
): Promise<void> {
  const draft = await drafts.byId(id);
  if (draft?.publishAt == null || draft.publishAt > now.toISOString()) return;
  const entry = auditEntryForChange("draft.publish_failed", auditTargetOfDraft(draft), {
    actor: CLOCK_ACTOR,
    now,
  });
  const { wording, heading, problems } = error;
  const failedDraft = {
    ...draft,
    publishAt: null,
    problem: { ...wording, heading, problems },
    version: draft.version + 1,
    updatedAt: now.toISOString(),
  };
  await drafts.put(failedDraft, { ...entry, detail: wording.en });
}

interface ApplyOptions extends ChangeContext {
  status: "published" | "kept";
  references: References | null;
}

async function createItem(
  { content }: DraftStores,
  actor: Actor,
  draft: Draft,
  { status, now, ...options }: ApplyOptions,
): Promise<Item> {
  const type = (await content.types()).get(draft.type);
  const title = type === undefined ? "" : draftTitle(type, draft.parts);
  const input = {
    ...withoutNulls(patchFromParts(draft.parts)),
    ...(title === "" ? {} : { title }),
    type: draft.type,
    status: status === "published" ? "published" : "draft",
  };
  const parsed = itemInputSchema.safeParse(input, { error: describeIssue });
  if (!parsed.success) throw invalidInputError("the draft", problemsOf(parsed.error));
  const { item } = await saveItem(content, actor, parsed.data, now, { ...options, expects: "new" });
  return item;
}

async function changeExisting(
  stores: DraftStores,
  actor: Actor,
  draft: Draft,
  { status, now, ...options }: ApplyOptions,
): Promise<Item> {
  const current = await requireExistingItem(stores.content, draft.itemId ?? "");
  const merged = rebaseDraft(draft, await readItemAndBaseRevision(stores, draft));
  if (merged.conflicts.length > 0) throw conflictError(merged.conflicts);
  const patch = {
    ...patchFromParts(merged.draft.parts),
    ...(status === "published" ? { status } : {}),
  };
  const { item } = await changeItem(stores.content, actor, current.id, { patch, now, ...options });
  return item;
}

function conflictError(conflicts: readonly PartConflict[]): AppError {
  const names = conflicts.map(({ part }) => part).join(", ");
  return new AppError(
    "conflict",
    {
      en: `Cannot publish the draft: ${names} of the item changed meanwhile, and differently here. Compare them, save what it shall be, and publish again`,
      de: "Die Seite wurde inzwischen an denselben Stellen anders geändert: Vergleichen Sie beides, speichern Sie, was gelten soll, und veröffentlichen Sie noch einmal",
    },
    {
      problems: conflicts.map(({ part }) => ({
        where: part,
        message: {
          en: "changed in the item since this draft was begun",
          de: "wurde seit Beginn dieses Entwurfs auf der Seite geändert",
        },
      })),
    },
  );
}
