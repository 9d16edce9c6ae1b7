import type { ItemSummary, PublishedItem } from "../../library.ts";
import { FEATURED_FIELD, hasRankedLists } from "../../lists/best-first.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { CREATOR_SCHEMA_ORG_TYPES } from "../../types/source-types.ts";
import { buildListBlocks } from "../lines.ts";
import type { Block } from "../view.ts";
import type { LinkingGroup } from "./linking-groups.ts";

/**
 * A `LinkingGroup` split in two: `best` has the pinned quotations of a creator, `group` the other
 * items.
 */
interface DividedGroup {
  group: LinkingGroup;
  best: readonly ItemSummary[];
}

/**
 * Moves a creator's pinned quotations, which come first in `group`, to `best`. `best` is empty on
 * later pages, for items other than creators, and for types without ranked lists. It is also empty
 * if all quotations on the page are pinned, or if none of them is.
 */
export function separateBestKnownQuotations(
  group: LinkingGroup,
  type: ContentType,
  { types }: Edition,
): DividedGroup {
  const { view, page, inEditionLanguage } = group;
  const isDivided =
    page === 1 &&
    CREATOR_SCHEMA_ORG_TYPES.has(type.schemaOrg) &&
    hasRankedLists(types.get(view.otherType));
  const firstOther = inEditionLanguage.findIndex(({ fields }) => fields[FEATURED_FIELD] !== true);
  if (!isDivided || firstOther <= 0) return { group, best: [] };
  return {
    group: { ...group, inEditionLanguage: inEditionLanguage.slice(firstOther) },
    best: inEditionLanguage.slice(0, firstOther),
  };
}

export function buildBestKnownQuotationBlocks(
  { path }: PublishedItem,
  { group: { view }, best }: DividedGroup,
  edition: Edition,
): Block[] {
  if (best.length === 0) return [];
  const text = edition.texts.list.bestKnown;
  return [
    { kind: "heading", text, id: `best-known-${view.name}` },
    ...buildListBlocks(best, edition, { path, relation: view.relation }),
  ];
}
