import type { Actor } from "../../access/actor.ts";
import { AppError } from "../../errors.ts";
import type { Draft } from "./draft.ts";
import { requireDraftVersion } from "./draft-at-version.ts";
import { mergeChangedParts } from "./merging.ts";
import { partsOfItem } from "./parts.ts";
import {
  type DraftStores,
  readItemAndBaseRevision,
  requireChangeableDraft,
  storeNextDraftVersion,
} from "./saving.ts";

/**
 * Resolves the conflicts between a draft and its item. In the parts of `partsToDrop`, the item's value is
 * kept; in all other conflicts, the draft's value. `revision` is the revision of the item that the editor
 * saw.
 *
 * @throws {AppError} `conflict` if the item is not at `revision`; `precondition` if the draft is not at
 * `version`; `not_found`.
 */
export async function resolveDraftConflicts(
  stores: DraftStores,
  actor: Actor,
  id: string,
  {
    version,
    revision,
    partsToDrop,
    now,
  }: { version: number; revision: number; partsToDrop: readonly string[]; now: Date },
): Promise<Draft> {
  const draft = await requireChangeableDraft(stores, actor, id);
  requireDraftVersion(draft, version);
  const { item, base } = await readItemAndBaseRevision(stores, draft);
  if (item === null || base === null || item.revision !== revision) {
    throw new AppError("conflict", {
      en: "The page was changed again meanwhile: compare once more",
      de: "Die Seite wurde inzwischen noch einmal geändert: Vergleichen Sie erneut",
    });
  }
  const current = partsOfItem(item);
  const { parts: merged } = mergeChangedParts(draft.parts, {
    base: partsOfItem(base),
    theirs: current,
  });
  const kept = Object.entries({ ...draft.parts, ...merged }).filter(
    ([part]) => !partsToDrop.includes(part),
  );
  const resolved = { ...draft, parts: Object.fromEntries(kept), baseRevision: item.revision };
  return (await storeNextDraftVersion(stores, actor, resolved, { now, item, base: item })).draft;
}
