import type { Actor } from "../../../access/actor.ts";
import { AppError } from "../../../errors.ts";
import type { DraftedItemParts } from "../../drafts/draft.ts";
import { mergeAllParts, type PartConflict } from "../../drafts/merging.ts";
import { isSameValue } from "../../drafts/parts.ts";
import type { ContentReader, ContentRecord, SiteImportBase } from "../../record.ts";
import { findListMoves, type ListMove } from "../../site/list-moves.ts";
import { importChoicesOf, saveSite, withoutBuiltInTypes } from "../../site/site-saving.ts";
import { hasPlaceholderDescription } from "../../site/starter-site.ts";
import type { PreferredSide } from "./saving-imports.ts";
import { buildSiteFromParts, type SiteDescription, splitSiteIntoParts } from "./site-parts.ts";

/**
 * The result of saving. Its string lists name settings and types, such as `name`, `contact.email`
 * and `types.event`.
 */
export interface SavedSiteDescription {
  /** Lists whose path changed. */
  moves: readonly ListMove[];
  /**
   * Settings and types that the import changed on the site. Empty if the site had no description before, or
   * only the placeholder.
   */
  replaced: readonly string[];
  /** Settings and types that changed on the site since the last import and that this import kept. */
  kept: readonly string[];
  /** Settings and types that changed on both sides in different ways; the site's values are kept. */
  conflicts: readonly string[];
}

/**
 * Saves the settings and types of a site folder. Merges them with the edits made on the site since the last
 * import of settings. If there was no earlier import, the folder's settings and types replace those of the
 * site.
 *
 * @param prefer the side that wins where folder and site changed the same part; null: keeps the site's part
 * and reports a conflict.
 * @throws {AppError} as `saveSite`, and `conflict` if the merged settings contradict each other.
 */
export async function saveImportedSite(
  record: ContentRecord,
  actor: Actor,
  stated: SiteDescription,
  { now, prefer }: { now: Date; prefer: PreferredSide },
): Promise<SavedSiteDescription> {
  return await record.write(async (transaction) => {
    const before = await readSiteDescription(transaction);
    const base = await transaction.siteBase.read();
    const isNew = before === null || hasPlaceholderDescription(before.profile);
    const merged =
      isNew || base === null
        ? { description: stated, base: splitSiteIntoParts(stated), kept: [], conflicts: [] }
        : mergeSite(stated, { base, before, prefer });
    const { profile, types } = merged.description;
    await saveSite(transaction, actor, profile, types, now);
    await transaction.siteBase.put(merged.base);
    const replaced = isNew ? [] : await changedSince(before, transaction);
    const after = withoutBuiltInTypes(await transaction.types());
    const moves = findListMoves(before?.types ?? [], after);
    return {
      moves,
      replaced,
      kept: merged.kept,
      conflicts: merged.conflicts.map(({ part }) => part),
    };
  });
}

/** The changes that a sync made to the site. */
interface SyncedDescription {
  /** Names of settings and types, as in `SavedSiteDescription`. */
  changed: readonly string[];
  /** Parts that the folder and the site changed in different ways. If there are any, nothing was saved. */
  conflicts: readonly PartConflict[];
}

const NO_SITE = { en: "There is no site", de: "Es gibt keine Website" };

/**
 * Saves a synced folder's changes to settings and types since `base`, the last state on which folder and site
 * agreed. A type that the folder no longer has is removed from the site.
 *
 * @throws {AppError} as `saveImportedSite`.
 */
export async function saveSyncedSite(
  record: ContentRecord,
  actor: Actor,
  stated: SiteDescription,
  { base, now }: { base: SiteImportBase; now: Date },
): Promise<SyncedDescription> {
  return await record.write(async (transaction) => {
    const before = await readSiteDescription(transaction);
    if (before === null) throw new AppError("not_found", NO_SITE);
    const { description, conflicts } = mergeSite(stated, { base, before, prefer: null });
    if (conflicts.length > 0) return { changed: [], conflicts };
    await saveSite(transaction, actor, description.profile, description.types, now);
    return { changed: await changedSince(before, transaction), conflicts };
  });
}

interface MergedSite {
  description: SiteDescription;
  /** The base for merging the next import. */
  base: SiteImportBase;
  kept: readonly string[];
  conflicts: readonly PartConflict[];
}

/**
 * Merges settings and types of the folder (`stated`) into those of the site (`before`). The setting `hidden`
 * always comes from the site. Import choices that the folder does not state also come from the site.
 */
function mergeSite(
  stated: SiteDescription,
  {
    base,
    before,
    prefer,
  }: { base: SiteImportBase; before: SiteDescription; prefer: PreferredSide },
): MergedSite {
  const { hidden } = before.profile;
  const profile = { ...importChoicesOf(before.profile), ...stated.profile, hidden };
  const [mine, theirs] = [splitSiteIntoParts({ ...stated, profile }), splitSiteIntoParts(before)];
  const { parts, conflicts } = mergeAllParts(mine.parts, {
    base: base.parts,
    theirs: theirs.parts,
  });
  const decided = prefer === "file" ? mine.parts : theirs.parts;
  const undecided = conflicts.map(({ part }) => part);
  const result = { ...parts, ...pickParts(decided, undecided) };
  const isOrderUnchanged = isSameValue(base.typeOrder, mine.typeOrder);
  const unsettled = prefer === null ? undecided : [];
  const kept = Object.keys(result).filter(
    (name) => !unsettled.includes(name) && !isSameValue(result[name], mine.parts[name] ?? null),
  );
  return {
    description: buildSiteFromParts(result, (isOrderUnchanged ? theirs : mine).typeOrder),
    base: { ...mine, parts: { ...mine.parts, ...pickParts(base.parts, unsettled) } },
    kept,
    conflicts: prefer === null ? conflicts : [],
  };
}

/** The site's settings and the types that it declares; null: there is no site yet. */
export async function readSiteDescription(content: ContentReader): Promise<SiteDescription | null> {
  const profile = await content.site();
  return profile === null ? null : { profile, types: withoutBuiltInTypes(await content.types()) };
}

async function changedSince(before: SiteDescription, content: ContentReader): Promise<string[]> {
  const after = await readSiteDescription(content);
  if (after === null) return [];
  const [one, other] = [splitSiteIntoParts(before).parts, splitSiteIntoParts(after).parts];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isSameValue(one[name] ?? null, other[name] ?? null));
}

function pickParts(parts: DraftedItemParts, names: readonly string[]): DraftedItemParts {
  return Object.fromEntries(names.map((name) => [name, parts[name] ?? null]));
}
