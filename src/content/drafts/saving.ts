import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { auditEntryForChange } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { requireExistingItem } from "../editing/item-to-change.ts";
import type { Item } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import type { ContentType } from "../types/content-type.ts";
import { requireTypeNamed } from "../types/type-named.ts";
import {
  auditTargetOfDraft,
  type Draft,
  type DraftChanges,
  type DraftedItemParts,
  type DraftStore,
} from "./draft.ts";
import { requireDraftVersion, requireExistingDraft } from "./draft-at-version.ts";
import { type MergedParts, mergeChangedParts, type PartConflict } from "./merging.ts";
import { partsDifferingFromItem, partsFromDraftChanges, partsOfItem } from "./parts.ts";
import { isRepeatedSave, readPartsSeenByEditor, type StateSeenByEditor } from "./seen-states.ts";

/** The stores that drafts use. For a change, both stores are bound to one transaction. */
export interface DraftStores {
  content: ContentRecord;
  drafts: DraftStore;
}

export interface SavedDraft {
  draft: Draft;
  /**
   * Parts that both the draft and the item have changed since the draft's base revision, in different ways.
   */
  conflicts: readonly PartConflict[];
}

/**
 * Starts a draft of an existing or a new item. A new item requires only a type.
 *
 * @param subject for an existing item, its id and the revision that the editor saw; for a new item, its
 * type.
 * @throws {AppError} `conflict` if the item is deleted or already has a draft; `not_found`; `invalid`.
 */
export async function startDraft(
  stores: DraftStores,
  actor: Actor,
  subject: { type: string } | { itemId: string; revision?: number },
  { changes, now }: ChangeContext & { changes: DraftChanges },
): Promise<SavedDraft> {
  requireScope(actor, "content:write");
  const { item, base } = await itemAndBaseForDraft(stores, subject);
  const type = await typeOf(stores, "type" in subject ? subject.type : base?.type);
  const startedAt = now.toISOString();
  const empty: Draft = {
    id: newId(now),
    type: type.name,
    itemId: item?.id ?? null,
    baseRevision: base?.revision ?? null,
    version: 0,
    parts: {},
    editors: [],
    publishAt: null,
    problem: null,
    review: null,
    createdAt: startedAt,
    updatedAt: startedAt,
  };
  const parts = await partsFromChanges(stores, type, changes);
  return await storeNextDraftVersion(stores, actor, { ...empty, parts }, { now, item, base });
}

/**
 * Saves changes to a draft. If others have saved meanwhile, merges the changes part by part, and texts line
 * by line. A repeated save is ignored if a later version already contained its changes. A save that changes
 * nothing creates no version, because a new version would warn the other editors.
 *
 * @param from the state the editor saw: a version of the draft or, before the draft existed, a revision of
 * the item.
 * @throws {AppError} `conflict`, with a problem for each part that the two sides changed differently; nothing
 * is saved then.
 */
export async function saveDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
  { from, changes, now }: ChangeContext & { from: StateSeenByEditor; changes: DraftChanges },
): Promise<SavedDraft> {
  const draft = await requireChangeableDraft(stores, actor, id);
  const type = await typeOf(stores, draft.type);
  const { item, base } = await readItemAndBaseRevision(stores, draft);
  const requestedParts = await partsFromChanges(stores, type, changes);
  const seenParts = await readPartsSeenByEditor(stores, draft, from);
  const changed = partsDifferingFromItem(requestedParts, seenParts);
  if (await isRepeatedSave(stores, draft, { from, changed })) {
    return rebaseDraft(draft, { item, base });
  }
  const theirs = { ...(base === null ? {} : partsOfItem(base)), ...draft.parts };
  const { parts, conflicts } = mergeChangedParts(requestedParts, { base: seenParts, theirs });
  if (conflicts.length > 0) throw conflictError(conflicts, draft);
  const isUnchanged = Object.keys(partsDifferingFromItem(parts, theirs)).length === 0;
  if (isUnchanged && draft.problem === null) return rebaseDraft(draft, { item, base });
  const merged = { ...draft.parts, ...parts };
  return await storeNextDraftVersion(
    stores,
    actor,
    { ...draft, parts: merged },
    { now, item, base },
  );
}

/**
 * Previews a save: returns the merged parts, and the conflicts that the editor has to resolve. If the state
 * that the editor saw is no longer stored, every part that differs is a conflict.
 *
 * @throws {AppError} `not_found`, `invalid`.
 */
export async function previewMerge(
  stores: DraftStores,
  actor: Actor,
  id: string,
  { from, changes }: { from: StateSeenByEditor; changes: DraftChanges },
): Promise<MergedParts> {
  const draft = await requireChangeableDraft(stores, actor, id);
  const { base } = await readItemAndBaseRevision(stores, draft);
  const requestedParts = await partsFromChanges(stores, await typeOf(stores, draft.type), changes);
  const theirs = { ...(base === null ? {} : partsOfItem(base)), ...draft.parts };
  try {
    return mergeChangedParts(requestedParts, {
      base: await readPartsSeenByEditor(stores, draft, from),
      theirs,
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
    const differing = partsDifferingFromItem(requestedParts, theirs);
    const conflicts = Object.entries(differing).map(([part, mine]) => ({
      ...{ part, base: null, mine },
      theirs: theirs[part] ?? null,
    }));
    return { parts: {}, conflicts };
  }
}

/** Deletes a draft without publishing it. @throws {AppError} `not_found`, `precondition`. */
export async function discardDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
  { version, now, requestId }: ChangeContext & { version?: number },
): Promise<void> {
  const draft = await requireChangeableDraft(stores, actor, id);
  requireDraftVersion(draft, version);
  const entry = auditEntryForChange("draft.discard", auditTargetOfDraft(draft), {
    actor,
    now,
    requestId,
  });
  await stores.drafts.remove(id, entry);
}

/** Returns the item that a draft changes, as it is now (`item`) and at the draft's base revision (`base`). */
export async function readItemAndBaseRevision(
  { content }: Pick<DraftStores, "content">,
  { itemId, baseRevision }: Pick<Draft, "itemId" | "baseRevision">,
): Promise<{ item: Item | null; base: Item | null }> {
  if (itemId === null || baseRevision === null) return { item: null, base: null };
  const item = await content.item(itemId);
  if (item === null || item.revision === baseRevision) return { item, base: item };
  return { item, base: (await content.revision(itemId, baseRevision))?.item ?? item };
}

/** Bases a draft on the current revision of its item, unless draft and item conflict. */
export function rebaseDraft(
  draft: Draft,
  { item, base }: { item: Item | null; base: Item | null },
): SavedDraft {
  if (item === null || base === null) return { draft, conflicts: [] };
  const itemParts = partsOfItem(item);
  const sides = { base: partsOfItem(base), theirs: itemParts };
  const { parts, conflicts } = mergeChangedParts(draft.parts, sides);
  if (conflicts.length > 0) return { draft, conflicts };
  return {
    draft: {
      ...draft,
      parts: partsDifferingFromItem(parts, itemParts),
      baseRevision: item.revision,
    },
    conflicts: [],
  };
}

/** Returns the draft to change. Changing a scheduled draft requires the permission to publish. */
export async function requireChangeableDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
): Promise<Draft> {
  requireScope(actor, "content:write");
  const draft = await requireExistingDraft(stores.drafts, id);
  if (draft.publishAt !== null) requireScope(actor, "content:publish");
  return draft;
}

async function itemAndBaseForDraft(
  { content, drafts }: DraftStores,
  subject: { type: string } | { itemId: string; revision?: number },
): Promise<{ item: Item | null; base: Item | null }> {
  if ("type" in subject) return { item: null, base: null };
  const item = await requireExistingItem(content, subject.itemId);
  if (item.status === "deleted") {
    const message = {
      en: `"${item.path}" was deleted at ${item.updatedAt}. Restore a revision of it first`,
      de: `„${item.path}“ ist gelöscht: Holen Sie zuerst eine frühere Fassung zurück`,
    };
    throw new AppError("conflict", message);
  }
  const existing = await drafts.ofItem(item.id);
  if (existing !== null) {
    const message = {
      en: `"${item.path}" already has a draft, ${existing.id}, by ${existing.editors.join(", ")}. Save to that one`,
      de: `Zu „${item.path}“ gibt es schon einen Entwurf: Schreiben Sie in diesem weiter`,
    };
    throw new AppError("conflict", message, { problems: [{ where: "itemId", message }] });
  }
  const revision = subject.revision ?? item.revision;
  const base =
    revision === item.revision ? item : (await content.revision(item.id, revision))?.item;
  if (base !== undefined) return { item, base };
  const message = {
    en: `"${item.path}" has no revision ${revision}; it is at ${item.revision}`,
    de: `„${item.path}“ hat keine Fassung ${revision}; die neueste ist ${item.revision}`,
  };
  throw new AppError("invalid", message, { problems: [{ where: "revision", message }] });
}

async function typeOf(
  { content }: Pick<DraftStores, "content">,
  name: string | undefined,
): Promise<ContentType> {
  return requireTypeNamed(await content.types(), name ?? "");
}

async function partsFromChanges(
  { content }: Pick<DraftStores, "content">,
  type: ContentType,
  changes: DraftChanges,
): Promise<DraftedItemParts> {
  return await content.write((transaction) => partsFromDraftChanges(transaction, type, changes));
}

/**
 * Stores the next version of a draft, based on the item's current revision unless draft and item conflict.
 */
export async function storeNextDraftVersion(
  { drafts }: DraftStores,
  actor: Actor,
  changed: Draft,
  { now, item, base }: { now: Date; item: Item | null; base: Item | null },
): Promise<SavedDraft> {
  const original = base === null ? {} : partsOfItem(base);
  const reduced = { ...changed, parts: partsDifferingFromItem(changed.parts, original) };
  const { draft, conflicts } = rebaseDraft(reduced, { item, base });
  const name = actorName(actor);
  const savedDraft: Draft = {
    ...draft,
    version: draft.version + 1,
    editors: draft.editors.includes(name) ? draft.editors : [...draft.editors, name],
    problem: null,
    updatedAt: now.toISOString(),
  };
  await drafts.put(savedDraft, null);
  return { draft: savedDraft, conflicts };
}

function conflictError(conflicts: readonly PartConflict[], { id }: Draft): AppError {
  const names = conflicts.map(({ part }) => part).join(", ");
  return new AppError(
    "conflict",
    {
      en: `Someone else changed ${names} in the draft ${id} meanwhile. Nothing was saved: read the draft again, and choose`,
      de: "Jemand anders hat in diesem Entwurf inzwischen dasselbe geändert, und es wurde nichts gespeichert: Vergleichen Sie beides und wählen Sie",
    },
    {
      problems: conflicts.map(({ part }) => ({
        where: part,
        message: { en: "was changed by someone else", de: "hat jemand anders geändert" },
      })),
    },
  );
}
