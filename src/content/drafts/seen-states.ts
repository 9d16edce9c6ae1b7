import { AppError } from "../../errors.ts";
import type { ContentRecord } from "../record.ts";
import type { Draft, DraftedItemParts, DraftStore } from "./draft.ts";
import { isSameValue, partsOfItem } from "./parts.ts";

/** The state that an editor's changes are based on: a version of the draft, or a revision of its item. */
export type StateSeenByEditor = { version: number } | { revision: number };

interface SeenStores {
  content: Pick<ContentRecord, "item" | "revision">;
  drafts: Pick<DraftStore, "version">;
}

/**
 * Whether the same save was already made. This is the case if a version after the one that the editor saw
 * has all values of `changed`.
 */
export async function isRepeatedSave(
  stores: SeenStores,
  draft: Draft,
  { from, changed }: { from: StateSeenByEditor; changed: DraftedItemParts },
): Promise<boolean> {
  const entries = Object.entries(changed);
  if ("revision" in from || entries.length === 0) return false;
  for (let version = from.version + 1; version <= draft.version; version += 1) {
    const parts = await readPartsSeenByEditor(stores, draft, { version });
    if (entries.every(([part, value]) => isSameValue(parts[part] ?? null, value))) return true;
  }
  return false;
}

/**
 * The parts in the state that the editor saw.
 *
 * @throws {AppError} `conflict` if the version is no longer stored; `invalid` for an unknown revision.
 */
export async function readPartsSeenByEditor(
  stores: SeenStores,
  draft: Draft,
  from: StateSeenByEditor,
): Promise<DraftedItemParts> {
  if ("revision" in from) {
    if (draft.itemId === null) throw noSuchRevision(from.revision);
    return await partsAtRevision(stores, draft.itemId, from.revision);
  }
  const { version } = from;
  const state =
    version < draft.version
      ? await stores.drafts.version(draft.id, version)
      : version === draft.version
        ? draft
        : null;
  if (state !== null) {
    return {
      ...(await partsAtRevision(stores, draft.itemId, state.baseRevision)),
      ...state.parts,
    };
  }
  const message = {
    en: `is not among the latest versions of the draft, which is at ${draft.version}`,
    de: "gehört nicht mehr zu den letzten dieses Entwurfs",
  };
  throw new AppError(
    "conflict",
    {
      en: `The version ${version} ${message.en}. Read the draft again, and save the changes from there`,
      de: `Der Stand ${version} ${message.de}. Öffnen Sie den Entwurf neu und ändern Sie dann noch einmal`,
    },
    { problems: [{ where: "version", message }] },
  );
}

async function partsAtRevision(
  { content }: Pick<SeenStores, "content">,
  itemId: string | null,
  revision: number | null,
): Promise<DraftedItemParts> {
  if (itemId === null || revision === null) return {};
  const item = await content.item(itemId);
  if (item?.revision === revision) return partsOfItem(item);
  const found = await content.revision(itemId, revision);
  if (found !== null) return partsOfItem(found.item);
  throw noSuchRevision(revision);
}

function noSuchRevision(revision: number): AppError {
  const message = {
    en: `there is no revision ${revision} of the item`,
    de: `Die Seite hat keine Fassung ${revision}`,
  };
  return new AppError(
    "invalid",
    {
      en: `Cannot save the draft: ${message.en}`,
      de: `Der Entwurf lässt sich nicht speichern: ${message.de}`,
    },
    {
      problems: [{ where: "revision", message }],
    },
  );
}
