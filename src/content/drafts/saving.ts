import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { changeEntry } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { existingItem } from "../editing/publishing.ts";
import type { Item } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import type { ContentType } from "../types/content-type.ts";
import type { Draft, DraftChanges, DraftStore, Parts } from "./draft.ts";
import { mergeParts, type PartConflict } from "./merging.ts";
import { differingParts, partsOfChanges, partsOfItem } from "./parts.ts";

/** Stores that are bound to one transaction wherever something changes. */
export interface DraftStores {
  content: ContentRecord;
  drafts: DraftStore;
}

export interface SavedDraft {
  draft: Draft;
  /** Parts that were changed in the item since the draft's base revision, and differently here. */
  conflicts: readonly PartConflict[];
}

/** The state that changes were made from. */
export type Seen = { version: number } | { revision: number };

interface Moment {
  now: Date;
  requestId?: string;
}

/**
 * Starts the draft of an item, or of one that does not exist yet. Nothing but the type is required.
 *
 * @param about the id of an item with the revision its editor saw, or the type of a new item.
 * @throws {AppError} `conflict` if the item is deleted or already has a draft; `not_found`; `invalid`.
 */
export async function startDraft(
  stores: DraftStores,
  actor: Actor,
  about: { type: string } | { itemId: string; revision?: number },
  { changes, now }: Moment & { changes: DraftChanges },
): Promise<SavedDraft> {
  requireScope(actor, "content:write");
  const { item, base } = await foundation(stores, about);
  const type = await typeOf(stores, "type" in about ? about.type : base?.type);
  const at = now.toISOString();
  const empty: Draft = {
    id: stores.drafts.newId(now),
    type: type.name,
    itemId: item?.id ?? null,
    baseRevision: base?.revision ?? null,
    version: 0,
    parts: {},
    editors: [],
    publishAt: null,
    problem: null,
    createdAt: at,
    updatedAt: at,
  };
  const parts = await statedParts(stores, type, changes);
  return await keep(stores, actor, { ...empty, parts }, { now, item, base });
}

/**
 * Saves changes to a draft. Changes that others saved since are kept: different parts are combined, the
 * same text is merged by lines.
 *
 * @param from what the editor saw: a version of the draft, or a revision of the item without the draft.
 * @throws {AppError} `conflict`, with a problem for each part that both changed; nothing is saved then.
 */
export async function saveDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
  { from, changes, now }: Moment & { from: Seen; changes: DraftChanges },
): Promise<SavedDraft> {
  const draft = await draftToChange(stores, actor, id);
  const type = await typeOf(stores, draft.type);
  const { item, base } = await baseOf(stores, draft);
  const stated = await statedParts(stores, type, changes);
  const { parts, conflicts } = mergeParts(stated, {
    base: await partsSeen(stores, draft, from),
    theirs: { ...(base === null ? {} : partsOfItem(base)), ...draft.parts },
  });
  if (conflicts.length > 0) throw conflictIn(conflicts, draft);
  const merged = { ...draft.parts, ...parts };
  return await keep(stores, actor, { ...draft, parts: merged }, { now, item, base });
}

/** Deletes a draft without publishing it. @throws {AppError} `not_found`, `precondition`. */
export async function discardDraft(
  stores: DraftStores,
  actor: Actor,
  id: string,
  { version, now, requestId }: Moment & { version?: number },
): Promise<void> {
  const draft = await draftToChange(stores, actor, id);
  requireVersion(draft, version);
  const entry = changeEntry("draft.discard", draft.itemId ?? id, { actor, now, requestId });
  await stores.drafts.remove(id, entry);
}

/** @throws {AppError} `not_found`. */
export async function existingDraft(drafts: DraftStore, id: string): Promise<Draft> {
  const draft = await drafts.byId(id);
  if (draft !== null) return draft;
  const message = `There is no draft ${id}: it was published or discarded, or never existed`;
  throw new AppError("not_found", message);
}

/** @throws {AppError} `precondition`, naming both versions. */
export function requireVersion(draft: Draft, version: number | undefined): void {
  if (version === undefined || version === draft.version) return;
  throw new AppError(
    "precondition",
    `The draft is at version ${draft.version}, not ${version}: ${draft.editors.join(", ")} saved it meanwhile. Read it again, then repeat`,
  );
}

/** The item that a draft changes as it is now and as it was at the draft's base revision. */
export async function baseOf(
  { content }: Pick<DraftStores, "content">,
  { itemId, baseRevision }: Pick<Draft, "itemId" | "baseRevision">,
): Promise<{ item: Item | null; base: Item | null }> {
  if (itemId === null || baseRevision === null) return { item: null, base: null };
  const item = await content.item(itemId);
  if (item === null || item.revision === baseRevision) return { item, base: item };
  return { item, base: (await content.revision(itemId, baseRevision))?.item ?? item };
}

/** Moves a draft to the current revision of its item, if nothing conflicts. */
export function rebased(
  draft: Draft,
  { item, base }: { item: Item | null; base: Item | null },
): SavedDraft {
  if (item === null || base === null) return { draft, conflicts: [] };
  const current = partsOfItem(item);
  const sides = { base: partsOfItem(base), theirs: current };
  const { parts, conflicts } = mergeParts(draft.parts, sides);
  if (conflicts.length > 0) return { draft, conflicts };
  return {
    draft: { ...draft, parts: differingParts(parts, current), baseRevision: item.revision },
    conflicts: [],
  };
}

/** Drafts that will be published by themselves change only with the permission to publish. */
async function draftToChange(stores: DraftStores, actor: Actor, id: string): Promise<Draft> {
  requireScope(actor, "content:write");
  const draft = await existingDraft(stores.drafts, id);
  if (draft.publishAt !== null) requireScope(actor, "content:publish");
  return draft;
}

async function foundation(
  { content, drafts }: DraftStores,
  about: { type: string } | { itemId: string; revision?: number },
): Promise<{ item: Item | null; base: Item | null }> {
  if ("type" in about) return { item: null, base: null };
  const item = await existingItem(content, about.itemId);
  if (item.status === "deleted") {
    const message = `"${item.path}" was deleted at ${item.updatedAt}. Restore a revision of it first`;
    throw new AppError("conflict", message);
  }
  const existing = await drafts.ofItem(item.id);
  if (existing !== null) {
    const message = `"${item.path}" already has a draft, ${existing.id}, by ${existing.editors.join(", ")}. Save to that one`;
    throw new AppError("conflict", message, { problems: [{ where: "itemId", message }] });
  }
  const revision = about.revision ?? item.revision;
  const base =
    revision === item.revision ? item : (await content.revision(item.id, revision))?.item;
  if (base !== undefined) return { item, base };
  const message = `"${item.path}" has no revision ${revision}; it is at ${item.revision}`;
  throw new AppError("invalid", message, { problems: [{ where: "revision", message }] });
}

async function typeOf(
  { content }: Pick<DraftStores, "content">,
  name: string | undefined,
): Promise<ContentType> {
  const types = await content.types();
  const type = types.get(name ?? "");
  if (type !== undefined) return type;
  const known = [...types.keys()].join(", ");
  throw new AppError("invalid", `There is no content type "${name}"; use one of ${known}`, {
    problems: [{ where: "type", message: `use one of ${known}` }],
  });
}

async function statedParts(
  { content }: Pick<DraftStores, "content">,
  type: ContentType,
  changes: DraftChanges,
): Promise<Parts> {
  return await content.write((transaction) => partsOfChanges(transaction, type, changes));
}

async function partsSeen(stores: DraftStores, draft: Draft, from: Seen): Promise<Parts> {
  if ("revision" in from) {
    if (draft.itemId === null) throw noSuchRevision(from.revision);
    return await partsAtRevision(stores, draft.itemId, from.revision);
  }
  const { version } = from;
  const state = version === draft.version ? draft : await stores.drafts.version(draft.id, version);
  if (state !== null) {
    return {
      ...(await partsAtRevision(stores, draft.itemId, state.baseRevision)),
      ...state.parts,
    };
  }
  const message = `is not among the latest versions of the draft, which is at ${draft.version}`;
  throw new AppError(
    "conflict",
    `The version ${version} ${message}. Read the draft again, and save the changes from there`,
    { problems: [{ where: "version", message }] },
  );
}

async function partsAtRevision(
  { content }: Pick<DraftStores, "content">,
  itemId: string | null,
  revision: number | null,
): Promise<Parts> {
  if (itemId === null || revision === null) return {};
  const item = await content.item(itemId);
  if (item?.revision === revision) return partsOfItem(item);
  const found = await content.revision(itemId, revision);
  if (found !== null) return partsOfItem(found.item);
  throw noSuchRevision(revision);
}

function noSuchRevision(revision: number): AppError {
  const message = `there is no revision ${revision} of the item`;
  return new AppError("invalid", `Cannot save the draft: ${message}`, {
    problems: [{ where: "revision", message }],
  });
}

async function keep(
  { drafts }: DraftStores,
  actor: Actor,
  changed: Draft,
  { now, item, base }: { now: Date; item: Item | null; base: Item | null },
): Promise<SavedDraft> {
  const original = base === null ? {} : partsOfItem(base);
  const lean = { ...changed, parts: differingParts(changed.parts, original) };
  const { draft, conflicts } = rebased(lean, { item, base });
  const name = actorName(actor);
  const saved: Draft = {
    ...draft,
    version: draft.version + 1,
    editors: draft.editors.includes(name) ? draft.editors : [...draft.editors, name],
    problem: null,
    updatedAt: now.toISOString(),
  };
  await drafts.put(saved, null);
  return { draft: saved, conflicts };
}

function conflictIn(conflicts: readonly PartConflict[], { id }: Draft): AppError {
  const names = conflicts.map(({ part }) => part).join(", ");
  return new AppError(
    "conflict",
    `Someone else changed ${names} in the draft ${id} meanwhile. Nothing was saved: read the draft again, and choose`,
    {
      problems: conflicts.map(({ part }) => ({
        where: part,
        message: "was changed by someone else",
      })),
    },
  );
}
