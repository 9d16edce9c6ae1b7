import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { Problem } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { chooseAvailablePath } from "../addresses/path-claims.ts";
import { planRedirectsToItem, type UnusableRedirectPolicy } from "../addresses/redirects.ts";
import { canonicalizeLanguageTag } from "../items/canonical-language.ts";
import type { Item, ItemInput } from "../items/item.ts";
import { applyItemPatch, findPublishTimeProblems } from "../items/item-patch.ts";
import { resolveLinks, resolveOriginal } from "../items/link-targets.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import { withNewsDay } from "../items/news-day.ts";
import { withRelativePortrait } from "../items/portrait-fields.ts";
import {
  computePublicationState,
  computeReviewDate,
  type OmittedValuePolicy,
  type PublicationState,
  requireTransition,
  scopeRequiredForChange,
} from "../items/statuses.ts";
import { requireValidTranslationGroup } from "../items/translations.ts";
import {
  cleanItemTexts,
  cleanSourceKey,
  invalidInputError,
  validateFields,
} from "../items/validation.ts";
import type { ContentRecord, ContentTransaction } from "../record.ts";
import { requireSiteLanguage } from "../site/site-language.ts";
import { readSiteTimeZone } from "../site/time-zone.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import { requireTypeNamed } from "../types/type-named.ts";
import { auditActionOf, listChangedParts } from "./item-changes.ts";
import {
  type ChangeTarget,
  findItemToChange,
  quoteItemName,
  requireExistingItem,
} from "./item-to-change.ts";
import { requireNoBrokenReferences } from "./reference-checks.ts";
import type { References } from "./references.ts";

export interface SavedItem {
  item: Item;
  outcome: "created" | "updated" | "unchanged";
  /** See {@link listChangedParts}; empty for a new item. */
  changed: readonly string[];
  /** Link targets that were left out because no item has that path or source key. */
  missing: readonly string[];
  /** Redirects that were left out. */
  unusableRedirects: readonly Problem[];
}

export interface SaveOptions extends ChangeTarget {
  /** `refuse`: unknown link targets are an error; `leave_out`: they are omitted and returned in `missing`. */
  missingTargets?: "refuse" | "leave_out";
  unusableRedirects?: UnusableRedirectPolicy;
  onOmitted?: OmittedValuePolicy;
  /** `accept`: saving a public item without changes requires no permission to publish. Default: `refuse`. */
  unchangedPublic?: "refuse" | "accept";
  /**
   * The references to the item; a change that breaks one of them is refused. Null: broken
   * references are accepted.
   */
  references?: References | null;
  requestId?: string | undefined;
  /**
   * When the item was last changed at its source; ISO 8601, UTC. Used only for a new item, and only if it is
   * before `now`. See {@link chooseLastChangeTime}.
   */
  updatedAt?: string | undefined;
}

/**
 * Creates an item or replaces its content. An input equal to the current state changes nothing and adds no
 * revision or audit entry. If the input has neither path nor slug, an existing item keeps its path, and a new
 * item gets a path made from its title.
 *
 * @throws {AppError} `invalid`, with a problem for each fault; `conflict` if the path belongs to another
 * item, the status transition is not allowed, or links point to the item's old address; `precondition` if
 * `revision` is not current.
 */
export async function saveItem(
  record: ContentRecord,
  actor: Actor,
  input: ItemInput,
  now: Date,
  options: SaveOptions = {},
): Promise<SavedItem> {
  return await record.write(async (transaction) => {
    const planned = await planItemSave(transaction, actor, input, { ...options, now });
    return await storePlannedItem(transaction, actor, planned, { ...options, now });
  });
}

/** A state of an item that is checked but not stored. */
export interface PlannedItem {
  before: Item | null;
  item: Item;
  missing: readonly string[];
  redirectFrom: readonly string[];
}

/** Computes the state that results from saving an input; stores nothing. Throws as {@link saveItem}. */
export async function planItemSave(
  transaction: ContentTransaction,
  actor: Actor,
  input: ItemInput,
  { now, ...options }: SaveOptions & { now: Date },
): Promise<PlannedItem> {
  requireScope(actor, "content:write");
  if (options.expects === "new") checkNew(input);
  const types = await transaction.types();
  const type = requireTypeNamed(types, input.type);
  const before = await findItemToChange(transaction, input, { type, types, options });
  const onOmitted = options.onOmitted ?? "keep";
  const timeZone = await readSiteTimeZone(transaction);
  const publication = computePublicationState(input, before, { now, timeZone, onOmitted });
  if (options.unchangedPublic !== "accept")
    requireScope(actor, scopeRequiredForChange(publication.status, before?.status));
  const { item, missing } = await nextState(transaction, input, {
    type,
    types,
    before,
    publication,
    timeZone,
    reviewAt: computeReviewDate(input, before, { timeZone, onOmitted }),
    now,
    updatedAt: chooseLastChangeTime(before, options.updatedAt, now),
    missingTargets: options.missingTargets ?? "refuse",
    onOmitted,
  });
  return { before, item, missing, redirectFrom: input.redirectFrom ?? [] };
}

/**
 * Returns the time to store as the last change: `stated` if the item is new and `stated` is before `now`,
 * otherwise `now`. An item is new until its first edit. Links that an import adds at the same `now` do not
 * count as an edit.
 */
export function chooseLastChangeTime(
  before: Item | null,
  stated: string | undefined,
  now: Date,
): string {
  const at = now.toISOString();
  const isNew = before === null || before.createdAt === at || isAsCreated(before);
  return isNew && stated !== undefined && stated < at ? stated : at;
}

function isAsCreated({ revision, createdAt, updatedAt }: Item): boolean {
  return revision === 1 && updatedAt === createdAt;
}

/** Stores a planned state, unless it equals the current one. Throws as {@link saveItem}. */
export async function storePlannedItem(
  transaction: ContentTransaction,
  actor: Actor,
  { before, item, missing, redirectFrom }: PlannedItem,
  { now, ...options }: SaveOptions & { now: Date },
): Promise<SavedItem> {
  const changed = before === null ? [] : listChangedParts(before, item);
  const isRedated = item.updatedAt !== now.toISOString() && item.updatedAt !== before?.updatedAt;
  const isUnchanged = before !== null && changed.length === 0 && !isRedated;
  if (!isUnchanged) requireScope(actor, scopeRequiredForChange(item.status, before?.status));
  requireNoBrokenReferences(options.references, before, item);
  await requireValidTranslationGroup(transaction, item, before);
  const redirects = await planRedirectsToItem(transaction, actor, redirectFrom, {
    itemId: item.id,
    path: item.path,
    unusableRedirects: options.unusableRedirects,
    now,
    requestId: options.requestId,
  });
  const details = { changed, missing, unusableRedirects: redirects.unusable };
  if (isUnchanged) {
    await redirects.put();
    return { item: before, outcome: "unchanged", ...details };
  }
  const outcome = before === null ? "created" : "updated";
  await transaction.put(item, {
    before,
    at: now.toISOString(),
    actor: actorName(actor),
    action: auditActionOf(before, item),
    requestId: options.requestId ?? null,
  });
  await redirects.put();
  return { item, outcome, ...details };
}

/**
 * Applies a JSON Merge Patch to an item.
 *
 * @throws {AppError} as {@link saveItem}; `not_found`.
 */
export async function changeItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  {
    patch,
    now,
    ...options
  }: Omit<SaveOptions, "id" | "onOmitted"> & { patch: MergePatch; now: Date },
): Promise<SavedItem> {
  return await record.write(async (transaction) => {
    const planned = await planItemPatch(transaction, actor, id, { ...options, patch, now });
    return await storePlannedItem(transaction, actor, planned, { ...options, now });
  });
}

/** Computes the state that results from a patch; stores nothing. Throws as {@link changeItem}. */
export async function planItemPatch(
  transaction: ContentTransaction,
  actor: Actor,
  id: string,
  { patch, ...options }: Omit<SaveOptions, "id" | "onOmitted"> & { patch: MergePatch; now: Date },
): Promise<PlannedItem> {
  requireScope(actor, "content:write");
  const [before, types] = await Promise.all([
    requireExistingItem(transaction, id),
    transaction.types(),
  ]);
  const input = applyItemPatch(before, patch, requireTypeNamed(types, before.type));
  return await planItemSave(transaction, actor, input, { ...options, id, onOmitted: "remove" });
}

/** Imports skip this check: their items may have a leftover `publishAt` without being scheduled. */
function checkNew(input: ItemInput): void {
  const faults = findPublishTimeProblems(input, input);
  if (faults.length > 0) throw invalidInputError(quoteItemName(input), faults);
}

interface SaveContext {
  type: ContentType;
  types: ContentTypes;
  before: Item | null;
  publication: PublicationState;
  timeZone: string;
  reviewAt: string | null;
  now: Date;
  updatedAt: string;
  missingTargets: "refuse" | "leave_out";
  onOmitted: OmittedValuePolicy;
}

async function nextState(
  transaction: ContentTransaction,
  input: ItemInput,
  { type, types, before, publication, timeZone, reviewAt, now, updatedAt, ...options }: SaveContext,
): Promise<{ item: Item; missing: readonly string[] }> {
  const { missingTargets, onOmitted } = options;
  const subject = quoteItemName(input);
  requireTransition(before, publication.status, subject);
  const { title, summary, body } = cleanItemTexts(input, subject);
  const datedFields = withNewsDay(input.fields, type, { publication, timeZone });
  const ownFields = withRelativePortrait(datedFields, type, transaction.origin);
  const fields = validateFields(type, ownFields, subject);
  const language =
    canonicalizeLanguageTag(input.language, subject) ??
    (await requireSiteLanguage(transaction, subject));
  const path = await chooseAvailablePath(transaction, before, { input, type, types });
  const id = before?.id ?? newId(now);
  const source = { type, ownId: id, subject, missingTargets };
  const links = await resolveLinks(transaction, input.relations, source);
  const translation = await resolveOriginal(transaction, input.translationOf, source);
  const item: Item = {
    id,
    type: type.name,
    path,
    title,
    summary,
    body,
    fields,
    relations: links.relations,
    language,
    translationOf: translation.original,
    status: publication.status,
    publishAt: publication.publishAt,
    publishedAt: publication.publishedAt,
    expireAt: publication.expireAt,
    reviewAt,
    createdAt: before?.createdAt ?? now.toISOString(),
    updatedAt,
    revision: (before?.revision ?? 0) + 1,
    sourceKey:
      cleanSourceKey(input.sourceKey, subject) ??
      (onOmitted === "keep" ? (before?.sourceKey ?? null) : null),
  };
  return { item, missing: [...links.missing, ...translation.missing] };
}
