import { sourceReference } from "../citations/item-reference.ts";
import type { ItemSummary, PublishedItem, ReadingCopy } from "../library.ts";
import { FEATURED_FIELD, isRanked } from "../lists/best-first.ts";
import { isPartRelation, placeField } from "../lists/places.ts";
import { type Edition, editionFor, editionPath, pageLanguage } from "../site/editions.ts";
import type { ContentType, ContentTypes, RelationView } from "../types/content-type.ts";
import { CREATOR_TYPES } from "../types/source-types.ts";
import { ABOUT_FIELD, CONTACT_PATH } from "./contact-forms.ts";
import { arrangedBlocks } from "./items/arranging.ts";
import { linkingViews } from "./items/linking-views.ts";
import { portraitOf } from "./items/portrait.ts";
import { countTexts, isQuotation, itemAnchor, listBlocks } from "./lines.ts";
import { narrowingLinks } from "./narrowing/group-links.ts";
import {
  ITEMS_PER_PAGE,
  pageAddress,
  pagingOf,
  QUOTATIONS_PER_PAGE,
  rangeLine,
  readPageNumber,
} from "./paging.ts";
import {
  quotationBlocks,
  quotationHeading,
  surroundingBlocks,
} from "./quotations/quotation-page.ts";
import { cautionOf } from "./quotations/seals.ts";
import type { Anchor, Block, PageRequest, PageView, Seal } from "./view.ts";

/** Limit on the pages in the breadcrumbs, besides the home page. */
const TRAIL_MAX = 5;

/** A page of the items that link to this one by a relation. */
interface Group {
  view: RelationView;
  /** The query parameter for its page number. */
  name: string;
  page: number;
  offset: number;
  items: ItemSummary[];
  total: number;
  pages: number;
}

/** The page of a published item; null if a requested list page does not exist. */
export function itemPage(
  reading: ReadingCopy,
  item: PublishedItem,
  request: PageRequest,
): PageView | null {
  const edition = editionFor(reading, item.language);
  const { types } = edition;
  const type = types.get(item.type);
  if (type === undefined) throw new Error(`No type ${item.type} is declared for ${item.path}`);
  const isSaying = isQuotation(types, type.name);
  const portrait = portraitOf(item, type, reading);
  const groups = linkingGroups(reading, item, { request, types });
  if (groups.some(({ page, pages }) => page > pages)) return null;
  const [main] = groups;
  const page = main?.page ?? 1;
  const parts = groups.map((group) => ({ group, ...bestKnownFirst(group, type, types) }));
  const groupsShown = [
    ...parts.flatMap(({ group, best }) => bestKnownBlocks(item, best, { group, edition })),
    ...parts.toReversed().flatMap(({ group, best, rest }) =>
      groupBlocks(reading, item, {
        group: { ...group, items: rest },
        above: best.length,
        edition,
      }),
    ),
  ];
  const updateTimes = [item, ...groups.flatMap(({ items }) => items)].map(
    ({ updatedAt }) => updatedAt,
  );
  return {
    path: item.path,
    query: page === 1 ? "" : `?page=${page}`,
    title: item.title,
    description: withCaution(
      item.summary === "" ? descriptionOf(item, edition) : item.summary,
      cautionOf(item, types),
    ),
    language: pageLanguage(edition, item.language),
    textLanguage: item.language,
    updatedAt: updateTimes.sort().at(-1) ?? item.updatedAt,
    isIndexed: true,
    subject: { kind: "item", item, ...(portrait === null ? {} : { portrait }) },
    trail: breadcrumbTrail(reading, item, { type, edition }),
    translations: item.translations,
    ...(isSaying ? { heading: quotationHeading(item, edition) } : {}),
    blocks: [
      ...(portrait === null ? [] : [{ kind: "portrait" as const, portrait }]),
      ...(isSaying
        ? [...quotationBlocks(reading, item, { type, edition }), ...groupsShown]
        : arrangedBlocks(
            item,
            { type, edition },
            {
              lead: leadBlocks(item),
              text: textBlocks(item),
              citations: citationBlocks(item, reading),
              groups: groupsShown,
            },
          )),
    ],
    around: () => [
      ...(isSaying ? surroundingBlocks(reading, item, { type, edition }) : []),
      reportBlock(item, edition),
    ],
  };
}

function withCaution(description: string, caution: Seal | null): string {
  return caution === null ? description : `${caution.label}. ${description}`;
}

/** Describes an item without text by its type and its number of linked items. */
function descriptionOf(
  item: Pick<ItemSummary, "title" | "type" | "counts">,
  edition: Edition,
): string {
  const { types, texts, site } = edition;
  const type = types.get(item.type)?.label ?? item.type;
  const counts = countTexts(item, edition);
  return texts.item.described({ title: item.title, type, site: site.name, counts });
}

/** Breadcrumbs: the list page of the item's type, or else the pages at the item's parent paths. */
function breadcrumbTrail(
  reading: ReadingCopy,
  item: { path: string },
  { type, edition }: { type: ContentType; edition: Edition },
): Anchor[] {
  if (item.path === "/") return [];
  const home = { text: edition.texts.frame.home, to: editionPath(edition, "/") };
  if (type.listPath !== null) return [home, { text: type.plural, to: type.listPath }];
  return [home, ...pagesAbove(reading, item.path, edition)];
}

/** The pages at the parent paths, without the home page, which may be an item such as `/de`. */
function pagesAbove(reading: ReadingCopy, path: string, { prefix }: Edition): Anchor[] {
  const inEdition = path.startsWith(`${prefix}/`);
  const first = inEdition ? prefix : "";
  const segments = path.slice(first.length).split("/").slice(1, -1).slice(0, TRAIL_MAX);
  return segments.flatMap((_, at) => {
    const answer = reading.resolve(`${first}/${segments.slice(0, at + 1).join("/")}`);
    return answer.kind === "item" ? [itemAnchor(answer.item)] : [];
  });
}

function leadBlocks({ hasOwnSummary, summary, language }: PublishedItem): Block[] {
  return hasOwnSummary ? [{ kind: "lead", text: summary, language }] : [];
}

function textBlocks({ language, html, markdown }: PublishedItem): Block[] {
  return markdown === "" ? [] : [{ kind: "body", html, markdown, language }];
}

/** A link to the contact form, with the address of the item. */
function reportBlock({ path }: PublishedItem, edition: Edition): Block {
  const to = `${editionPath(edition, CONTACT_PATH)}?${ABOUT_FIELD}=${encodeURIComponent(path)}`;
  return { kind: "aside", line: [{ text: edition.texts.item.report, to }] };
}

function citationBlocks(item: PublishedItem, reading: ReadingCopy): Block[] {
  const reference = sourceReference(item, reading);
  return reference === null ? [] : [{ kind: "citations", path: item.path, reference }];
}

/** Groups of items that link to this one, largest first; `?page=` paginates the first. */
function linkingGroups(
  reading: ReadingCopy,
  item: PublishedItem,
  { request, types }: { request: PageRequest; types: ContentTypes },
): Group[] {
  return linkingViews(item, types).map((view, at) => {
    const limit = isQuotation(types, view.otherType) ? QUOTATIONS_PER_PAGE : ITEMS_PER_PAGE;
    const name = at === 0 ? "page" : view.name;
    const page = readPageNumber(request.parameter(name));
    const offset = (page - 1) * limit;
    const { items, total } = groupItems(reading, item, { view, limit, offset });
    return { view, name, page, offset, items, total, pages: pageCount(total, limit) };
  });
}

function pageCount(total: number, limit: number): number {
  return Math.max(1, Math.ceil(total / limit));
}

function groupItems(
  reading: ReadingCopy,
  item: PublishedItem,
  {
    view: { direction, relation, otherType },
    limit,
    offset,
  }: { view: RelationView; limit: number; offset: number },
) {
  return reading.list({
    types: [otherType],
    filters: [],
    links: [{ direction, relation, anchors: [item.path] }],
    sort: groupOrder(reading.types().get(otherType), relation),
    descending: false,
    limit,
    offset,
  });
}

/** The sort order of a group: parts of a work by location, works by year, others by their default. */
function groupOrder(type: ContentType | undefined, relation: string): string {
  if (type === undefined) return "title";
  const locationField = isPartRelation(type, relation) ? placeField(type) : null;
  if (locationField !== null) return locationField;
  const isUnordered = type.defaultSort === "title" && type.fields["year"]?.sort === true;
  return isUnordered ? "year" : type.defaultSort;
}

/**
 * Divides the first page of a creator's ranked quotations after those that editors pinned, which are
 * the first of a ranked list. All others are one part, as are those that are all pinned.
 */
function bestKnownFirst(
  { view: { otherType }, page, items }: Group,
  type: ContentType,
  types: ContentTypes,
): { best: ItemSummary[]; rest: ItemSummary[] } {
  const isDivided =
    page === 1 && CREATOR_TYPES.has(type.schemaOrg) && isRanked(types.get(otherType));
  const firstOther = items.findIndex(({ fields }) => fields[FEATURED_FIELD] !== true);
  if (!isDivided || firstOther <= 0) return { best: [], rest: items };
  return { best: items.slice(0, firstOther), rest: items.slice(firstOther) };
}

function bestKnownBlocks(
  { path }: PublishedItem,
  best: readonly ItemSummary[],
  { group: { view }, edition }: { group: Group; edition: Edition },
): Block[] {
  if (best.length === 0) return [];
  const text = edition.texts.list.bestKnown;
  return [
    { kind: "heading", text, id: `best-known-${view.name}` },
    ...listBlocks(best, edition, { path, relation: view.relation }),
  ];
}

/** `above`: the number of items of this page of the group that are shown elsewhere. */
function groupBlocks(
  reading: ReadingCopy,
  item: PublishedItem,
  { group, above, edition }: { group: Group; above: number; edition: Edition },
): Block[] {
  const { items, view, name, total, offset, page, pages } = group;
  const path = encodeURI(item.path);
  const paging = pagingOf(page, pages, (n) => pageAddress(path, n, name));
  const anchor = { path: item.path, relation: view.relation };
  const { texts } = edition;
  const heading = texts.list.group(view.label, total);
  const range = { offset: offset + above, shown: items.length };
  return [
    { kind: "heading", text: heading, id: `group-${view.name}` },
    ...(paging === null
      ? []
      : [{ kind: "paragraph" as const, line: rangeLine(paging, range, texts) }]),
    ...narrowingLinks(reading, item.path, { group, edition }),
    ...listBlocks(items, edition, anchor),
    ...(paging === null ? [] : [{ kind: "paging" as const, paging }]),
  ];
}
