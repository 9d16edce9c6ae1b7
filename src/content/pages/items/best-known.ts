import type { ItemSummary, PublishedItem } from "../../library.ts";
import { FEATURED_FIELD, hasRankedLists } from "../../lists/best-first.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { CREATOR_TYPES } from "../../types/source-types.ts";
import { listBlocks } from "../lines.ts";
import type { Block } from "../view.ts";
import type { LinkingGroup } from "./linking-groups.ts";

/** A group split in two: `best` has its best-known items, `group` the others. */
interface DividedGroup {
  group: LinkingGroup;
  best: readonly ItemSummary[];
}

/**
 * Moves the pinned quotations of a creator from `group` to `best`. A ranked list starts with them.
 * `best` is empty on later pages, for other groups, and if every quotation on the page is pinned.
 */
export function separateBestKnownQuotations(
  group: LinkingGroup,
  type: ContentType,
  { types }: Edition,
): DividedGroup {
  const { view, page, inEditionLanguage } = group;
  const isDivided =
    page === 1 && CREATOR_TYPES.has(type.schemaOrg) && hasRankedLists(types.get(view.otherType));
  const firstOther = inEditionLanguage.findIndex(({ fields }) => fields[FEATURED_FIELD] !== true);
  if (!isDivided || firstOther <= 0) return { group, best: [] };
  return {
    group: { ...group, inEditionLanguage: inEditionLanguage.slice(firstOther) },
    best: inEditionLanguage.slice(0, firstOther),
  };
}

export function bestKnownQuotationBlocks(
  { path }: PublishedItem,
  { group: { view }, best }: DividedGroup,
  edition: Edition,
): Block[] {
  if (best.length === 0) return [];
  const text = edition.texts.list.bestKnown;
  return [
    { kind: "heading", text, id: `best-known-${view.name}` },
    ...listBlocks(best, edition, { path, relation: view.relation }),
  ];
}
