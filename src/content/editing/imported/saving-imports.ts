import { type Actor, hasScope, requireScope } from "../../../access/actor.ts";
import { AppError, type Problem } from "../../../errors.ts";
import type { DraftedItemParts } from "../../drafts/draft.ts";
import { mergeChangedParts, type PartConflict } from "../../drafts/merging.ts";
import {
  isSameValue,
  partsDifferingFromItem,
  partsOfItem,
  patchFromParts,
} from "../../drafts/parts.ts";
import type { Item, ItemInput } from "../../items/item.ts";
import { scopeRequiredForChange } from "../../items/statuses.ts";
import { trimBody } from "../../items/trimmed-body.ts";
import type { ContentRecord, ContentTransaction, ImportBase } from "../../record.ts";
import { isStarterPage } from "../../site/starter-site.ts";
import {
  type PlannedItem,
  planItemPatch,
  planItemSave,
  type SavedItem,
  type SaveOptions,
  storePlannedItem,
} from "../editing.ts";
import { listChangedParts } from "../item-changes.ts";
import { formatConflictingValues } from "./conflicting-values.ts";

/**
 * The side that wins where file and site changed the same part; null: keeps the site's part and reports a
 * conflict.
 */
export type PreferredSide = "file" | "site" | null;

export interface ImportSaveOptions extends SaveOptions {
  now: Date;
  prefer: PreferredSide;
}

export type SavedImportedItem = SavedItem & {
  /** Parts that were edited on the site since the last import and that this import kept. */
  kept: readonly string[];
  /** Whether the item replaces an unedited starter page. */
  replacesStarterPage: boolean;
};

/** Thrown if parts were changed both on the site and in the file. The item is unchanged. */
export class MergeConflictError extends AppError {
  readonly item: Pick<Item, "path" | "type">;

  constructor(item: Item, conflicts: readonly PartConflict[]) {
    const problems = conflicts.map(conflictProblem);
    const names = conflicts.map(({ part }) => part).join(", ");
    const message = {
      en: `Cannot import "${item.path}": it was changed on the site and in the file (${names})`,
      de: `„${item.path}“ lässt sich nicht übernehmen: Website und Datei haben Verschiedenes (${names})`,
    };
    super("conflict", message, { problems });
    this.item = item;
  }
}

/**
 * As `saveItem`, but merges the input, part by part and line by line, with the edits made on the site since
 * the item's last import.
 *
 * @throws {MergeConflictError} and as `saveItem`.
 */
export async function saveImportedItem(
  record: ContentRecord,
  actor: Actor,
  input: ItemInput,
  options: ImportSaveOptions,
): Promise<SavedImportedItem> {
  return await record.write(async (transaction) => {
    const planned = await planItemSave(transaction, actor, input, {
      ...options,
      ...ACCEPT_UNCHANGED_PUBLIC,
    });
    return await mergeAndStore(transaction, actor, planned, { ...options, isStated: () => true });
  });
}

/** A repeated import does not write unchanged items, so it requires no permission to publish them. */
const ACCEPT_UNCHANGED_PUBLIC = { unchangedPublic: "accept" } as const;

/**
 * The id of the item that the last import put at this path, if the item has since been moved on the
 * site.
 */
export async function idOfItemMovedAway(
  transaction: ContentTransaction,
  input: ItemInput,
): Promise<string | null> {
  const path = input.path?.normalize("NFC");
  const claim = path === undefined ? null : await transaction.claim(path);
  if (claim === null || claim.isCurrent) return null;
  const base = await transaction.importBase(claim.itemId);
  const stated = base === null ? null : await statedParts(transaction, base);
  return stated?.["path"] === path ? claim.itemId : null;
}

/** As {@link saveImportedItem}, but only for the links of an item that is already saved. */
export async function saveImportedLinks(
  record: ContentRecord,
  actor: Actor,
  { id, links }: { id: string; links: Pick<ItemInput, "relations" | "translationOf"> },
  options: ImportSaveOptions,
): Promise<SavedImportedItem> {
  return await record.write(async (transaction) => {
    const change = { ...options, ...ACCEPT_UNCHANGED_PUBLIC, patch: { ...links } };
    const planned = await planItemPatch(transaction, actor, id, change);
    const names = new Set(Object.keys(links.relations).map((name) => `relations.${name}`));
    if (links.translationOf !== undefined) names.add("translationOf");
    const isStated = (part: string) => names.has(part);
    return await mergeAndStore(transaction, actor, planned, { ...options, isStated });
  });
}

interface MergeOptions extends ImportSaveOptions {
  /** Whether the import states this part of the item. */
  isStated: (part: string) => boolean;
}

async function mergeAndStore(
  transaction: ContentTransaction,
  actor: Actor,
  planned: PlannedItem,
  options: MergeOptions,
): Promise<SavedImportedItem> {
  const { before } = planned;
  const { language } = (await transaction.site()) ?? {};
  const replacesStarterPage =
    before !== null && language !== undefined && isStarterPage(before, language);
  return { ...(await storeMerged(transaction, actor, planned, options)), replacesStarterPage };
}

async function storeMerged(
  transaction: ContentTransaction,
  actor: Actor,
  planned: PlannedItem,
  options: MergeOptions,
): Promise<Omit<SavedImportedItem, "replacesStarterPage">> {
  const { before, item } = planned;
  const scope = scopeRequiredForChange(item.status, before?.status);
  const base = before === null ? null : await transaction.importBase(before.id);
  const isUntouched = base?.stated === null && base.revision === before?.revision;
  if (before === null || isUntouched || listChangedParts(before, item).length === 0) {
    const saved = await storePlannedItem(transaction, actor, planned, options);
    // Replacing the base requires permission to change the item, because the base decides how later imports
    // merge.
    const keepsBase = isUntouched || !hasScope(actor, scope);
    if (keepsBase && saved.outcome === "unchanged") return { ...saved, kept: [] };
    const { id: itemId, revision } = saved.item;
    await transaction.putImportBase({ itemId, revision, stated: null });
    return { ...saved, kept: [] };
  }
  requireScope(actor, scope);
  const sides = await readSides(transaction, before, { item, base, ...options });
  const result = mergeSides(before, sides, options.prefer);
  const patch = patchFromParts(partsDifferingFromItem(result, sides.current));
  const merged = await planItemPatch(transaction, actor, before.id, { ...options, patch });
  const { missing, redirectFrom } = planned;
  const whole = { ...merged, missing, redirectFrom };
  const saved = await storePlannedItem(transaction, actor, whole, options);
  const kept = Object.keys(partsDifferingFromItem(sides.imported, result));
  const stated = kept.length === 0 ? null : { ...sides.base, ...sides.imported };
  const { id: itemId, revision } = saved.item;
  await transaction.putImportBase({ itemId, revision, stated });
  return { ...saved, kept };
}

interface Sides {
  /** The parts as of the last import; empty if there was no earlier import. */
  base: DraftedItemParts;
  /** The parts that the import states. */
  imported: DraftedItemParts;
  /** The parts in their current state on the site. */
  current: DraftedItemParts;
}

async function readSides(
  transaction: ContentTransaction,
  before: Item,
  { item, base: known, isStated }: { item: Item; base: ImportBase | null } & MergeOptions,
): Promise<Sides> {
  const base = known === null ? {} : await statedParts(transaction, known);
  const current = importedParts(before);
  const all: Record<string, unknown> = importedParts(item);
  for (const part of [...Object.keys(base), ...Object.keys(current)]) all[part] ??= null;
  const imported = Object.fromEntries(Object.entries(all).filter(([part]) => isStated(part)));
  return { base, imported, current };
}

async function statedParts(
  transaction: ContentTransaction,
  { itemId, revision, stated }: ImportBase,
): Promise<DraftedItemParts> {
  if (stated !== null) return withTrimmedBody(stated);
  const found = await transaction.revision(itemId, revision);
  return found === null ? {} : importedParts(found.item);
}

/** The parts that an import can set. */
function importedParts(item: Item): DraftedItemParts {
  const { status, publishAt, sourceKey } = item;
  return withTrimmedBody({ ...partsOfItem(item), status, publishAt, sourceKey });
}

function withTrimmedBody(parts: DraftedItemParts): DraftedItemParts {
  const { body } = parts;
  return typeof body === "string" ? { ...parts, body: trimBody(body) } : parts;
}

/** @throws {MergeConflictError} */
function mergeSides(
  before: Item,
  { base, imported, current }: Sides,
  prefer: PreferredSide,
): DraftedItemParts {
  const merged = mergeChangedParts(imported, { base, theirs: current });
  const changesStatus = "status" in imported && !isSameValue(imported["status"], current["status"]);
  const conflicts = merged.conflicts.filter(
    ({ part }) => !(changesStatus && TIMES_OF_STATUS.includes(part)),
  );
  if (conflicts.length > 0 && prefer === null) throw new MergeConflictError(before, conflicts);
  const preferred = prefer === "file" ? imported : current;
  const decided = conflicts.map(({ part }) => [part, preferred[part] ?? null] as const);
  const parts = { ...merged.parts, ...Object.fromEntries(decided) };
  if (!changesStatus) return parts;
  const statusSide = isSameValue(parts["status"], current["status"]) ? current : imported;
  const times = TIMES_OF_STATUS.map((part) => [part, statusSide[part] ?? null] as const);
  return { ...parts, ...Object.fromEntries(times) };
}

/**
 * Times that depend on the status. If file and site differ in status, these times come from the side whose
 * status wins.
 */
const TIMES_OF_STATUS: readonly string[] = ["publishAt", "publishedAt"];

function conflictProblem({ part, theirs, mine }: PartConflict): Problem {
  const shown = formatConflictingValues(theirs, mine);
  const values =
    shown === null
      ? { en: "", de: "" }
      : { en: `, to ${shown.join(" and to ")}`, de: `, zu ${shown.join(" und zu ")}` };
  return {
    where: part,
    message: {
      en: `was changed on the site and in the file${values.en}; the site's is kept`,
      de: `wurde auf der Website und in der Datei geändert${values.de}; es bleibt, was auf der Website steht`,
    },
  };
}
