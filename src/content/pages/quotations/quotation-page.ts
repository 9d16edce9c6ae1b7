import type { SiteTexts } from "../../../texts/site/english.ts";
import { quotationOrWorkReference } from "../../citations/item-reference.ts";
import type { ItemSummary, LinkedItem, PublishedItem, ReadingCopy } from "../../library.ts";
import {
  findPlaceFieldName,
  isOrderKnown,
  isSingleTargetRelation,
  placeAndPositionOf,
  positionFieldName,
} from "../../lists/places.ts";
import type { Edition } from "../../site/editions.ts";
import {
  type ContentType,
  type ContentTypes,
  warningValuesBySealField,
} from "../../types/content-type.ts";
import { verificationOf } from "../../types/quotation.ts";
import { buildFactBlocks } from "../items/item-facts.ts";
import { buildListBlocks, buildSourceLine, itemAnchor, sourceRelations } from "../lines.ts";
import { buildSlotBlocks } from "../slots.ts";
import { isTitleStartOfText } from "../title-start.ts";
import type { Block, InlineContent, PageView, Quote } from "../view.ts";
import { sealInEdition } from "./seals.ts";

/** Number of related quotations shown per author and per topic. */
const QUOTATIONS_PER_GROUP = 2;
/** Maximum number of topics for which related quotations are shown, in the item's order. */
const TOPICS_MAX = 2;

interface Parts {
  type: ContentType;
  edition: Edition;
}

/**
 * The heading of a quotation. It is hidden if the title only repeats the first words of the text.
 * A hidden heading names the authors, unless the quotation is misattributed.
 */
export function buildQuotationHeading(
  item: PublishedItem,
  { types, texts }: Edition,
): NonNullable<PageView["heading"]> {
  const [creators] = sourceRelations(types, item.type);
  const isTheirs = verificationOf(item.fields) !== "misattributed";
  const names = isTheirs ? (item.links[creators ?? ""] ?? []).map(({ title }) => title) : [];
  return isTitleStartOfText(item)
    ? { text: texts.quotation.heading(names), isHidden: true }
    : { text: item.title, isHidden: false };
}

/** The text, its source, and how well the attribution is verified. */
export function buildQuotationBlocks(
  reading: ReadingCopy,
  item: PublishedItem,
  { type, edition }: Parts,
): Block[] {
  const reference = quotationOrWorkReference(item, reading);
  const excluded = new Set([...sourceRelations(edition.types, type.name), "locator"]);
  for (const [name] of warningValuesBySealField(type)) excluded.add(name);
  excluded.add(positionFieldName(type) ?? "");
  return [
    { kind: "saying", quote: quotationBlock(item, edition) },
    ...trustBlocks(item, edition),
    ...(item.hasOwnSummary
      ? [{ kind: "lead" as const, text: item.summary, language: item.language }]
      : []),
    ...buildFactBlocks(item, type, { edition, excluded }),
    ...(reference === null ? [] : [{ kind: "citations" as const, path: item.path, reference }]),
    ...buildSlotBlocks(edition, "quotation"),
  ];
}

/**
 * The preceding and following quotations in the same work, then others by the same author and on
 * the same topics.
 */
export function buildRelatedQuotationBlocks(
  reading: ReadingCopy,
  item: PublishedItem,
  parts: Parts,
): Block[] {
  return [...contextBlocks(reading, item, parts), ...moreQuotationsBlocks(reading, item, parts)];
}

function quotationBlock(item: PublishedItem, edition: Edition): Quote {
  const seal = sealInEdition(item, edition);
  return {
    text: { html: item.html, markdown: item.markdown },
    language: item.language,
    caution: seal?.isCaution === true ? seal : null,
    caption: buildSourceLine(item, edition, null),
    page: null,
    listingReason: null,
  };
}

/** The seal and its meaning. */
function trustBlocks(item: PublishedItem, edition: Edition): Block[] {
  const seal = sealInEdition(item, edition);
  if (seal === null) return [];
  const meaning = verificationMeaning(seal.value, edition.texts);
  if (meaning === null) return seal.isCaution ? [] : [{ kind: "aside", line: [{ seal }] }];
  const line: InlineContent[] = seal.isCaution ? [meaning] : [{ seal }, " – ", meaning];
  return [{ kind: "aside", line }];
}

function verificationMeaning(value: string, { verification }: SiteTexts): string | null {
  switch (value) {
    case "verified":
    case "attributed":
    case "disputed":
    case "misattributed":
      return verification[value];
    default:
      return null;
  }
}

/** The preceding and following quotations in the same work. */
function contextBlocks(reading: ReadingCopy, item: PublishedItem, parts: Parts): Block[] {
  const { type, edition } = parts;
  const locationField = findPlaceFieldName(type);
  const work = workLink(item, type);
  if (locationField === null || work === null) return [];
  const { before, after } = reading.adjacentItems(item.path, {
    ...linkedQuery(type, work),
    sort: locationField,
    descending: false,
  });
  const { texts } = edition;
  const listedUnder = { path: work.link.path, relation: work.relation };
  const isNear = (found: ItemSummary) =>
    isOrderKnown(placeAndPositionOf(type, item), placeAndPositionOf(type, found));
  const labelled = (label: string, found: ItemSummary | null): Block[] =>
    found === null || !isNear(found)
      ? []
      : [{ kind: "paragraph", line: [label] }, ...buildListBlocks([found], edition, listedUnder)];
  const blocks = [
    ...labelled(texts.quotation.before, before),
    ...labelled(texts.quotation.after, after),
  ];
  const heading = texts.quotation.context(work.link.title);
  return blocks.length === 0 ? [] : [{ kind: "heading", text: heading, id: "context" }, ...blocks];
}

/** A few more quotations by the same author and then on the same topics, without duplicates. */
function moreQuotationsBlocks(reading: ReadingCopy, item: PublishedItem, parts: Parts): Block[] {
  const { type, edition } = parts;
  const shownPaths = new Set([item.path]);
  return quotationGroupsFor(item, type, edition.types).flatMap(
    ({ relation, link, isCreator }): Block[] => {
      const found = reading
        .items({
          ...linkedQuery(type, { relation, link }),
          ...edition.languageFilter,
          sort: type.defaultSort,
          descending: false,
          limit: QUOTATIONS_PER_GROUP + shownPaths.size,
        })
        .filter(({ path }) => !shownPaths.has(path))
        .slice(0, QUOTATIONS_PER_GROUP);
      for (const { path } of found) shownPaths.add(path);
      if (found.length === 0) return [];
      const { quotation } = edition.texts;
      const title = isCreator ? quotation.moreBy(link.title) : quotation.moreOn(link.title);
      return [
        { kind: "heading", text: title, id: `more-${relation}${shownPaths.size}` },
        ...buildListBlocks(found, edition, { path: link.path, relation }),
        { kind: "aside", line: [itemAnchor({ ...link, title: quotation.all(link.title) })] },
      ];
    },
  );
}

interface QuotationGroup {
  relation: string;
  link: LinkedItem;
  isCreator: boolean;
}

function quotationGroupsFor(
  item: PublishedItem,
  type: ContentType,
  types: ContentTypes,
): QuotationGroup[] {
  const [creators] = sourceRelations(types, type.name);
  const sources = sourceRelations(types, type.name);
  return Object.keys(type.relations).flatMap((relation) => {
    const isCreator = relation === creators;
    if (!isCreator && sources.includes(relation)) return [];
    if (type.relations[relation]?.target === type.name) return [];
    const links = (item.links[relation] ?? []).slice(0, isCreator ? 1 : TOPICS_MAX);
    return links.map((link) => ({ relation, link, isCreator }));
  });
}

/** The link to the work that the item is quoted from. */
function workLink(
  item: PublishedItem,
  type: ContentType,
): { relation: string; link: LinkedItem } | null {
  for (const relation of Object.keys(type.relations)) {
    const link = isSingleTargetRelation(type, relation) ? item.links[relation]?.[0] : undefined;
    if (link !== undefined) return { relation, link };
  }
  return null;
}

function linkedQuery(
  type: ContentType,
  { relation, link }: { relation: string; link: LinkedItem },
) {
  return {
    types: [type.name],
    filters: [],
    links: [{ direction: "in" as const, relation, anchors: [link.path] }],
  };
}
