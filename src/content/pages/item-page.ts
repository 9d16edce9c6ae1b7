import { sourceReference } from "../citations/item-reference.ts";
import type { ItemSummary, LinkedItem, PublishedItem, ReadingCopy } from "../library.ts";
import type { SiteProfile } from "../site/site.ts";
import {
  type ContentType,
  type ContentTypes,
  type RelationView,
  relationViews,
} from "../types/content-type.ts";
import { formatValues, isShownField } from "./field-values.ts";
import { cautionText, countsOf, isQuotation, itemAnchor, listBlocks } from "./lines.ts";
import {
  PAGE_ITEMS,
  PAGE_QUOTES,
  pageAddress,
  pagingOf,
  rangeLine,
  readPageNumber,
} from "./paging.ts";
import type { Anchor, Block, Fact, Inline, PageRequest, PageView } from "./view.ts";

/** A paginated list of items that link to this one. */
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
  const types = reading.types();
  const type = types.get(item.type);
  if (type === undefined) throw new Error(`No type ${item.type} is declared for ${item.path}`);
  const groups = groupsOf(reading, item, request);
  if (groups.some(({ page, pages }) => page > pages)) return null;
  const [main] = groups;
  const page = main?.page ?? 1;
  const latest = [item, ...groups.flatMap(({ items }) => items)].map(({ updatedAt }) => updatedAt);
  return {
    path: item.path,
    query: page === 1 ? "" : `?page=${page}`,
    title: item.title,
    description: withCaution(
      item.summary === "" ? descriptionOf(item, { types, site: reading.site() }) : item.summary,
      cautionText(item, types),
    ),
    language: item.language,
    updatedAt: latest.sort().at(-1) ?? item.updatedAt,
    isIndexed: true,
    subject: { kind: "item", item },
    trail: trailOf(item, type),
    translations: item.translations,
    blocks: [
      ...textBlocks(item, type, types),
      ...factBlocks(item, type, types),
      ...citationBlocks(item, reading),
      ...groups.toReversed().flatMap((group) => groupBlocks(reading, item, group)),
    ],
  };
}

function withCaution(description: string, caution: string | null): string {
  return caution === null ? description : `${caution}. ${description}`;
}

/** For items without text of their own, as many topics are. */
function descriptionOf(
  item: Pick<ItemSummary, "title" | "type" | "counts">,
  { types, site }: { types: ContentTypes; site: SiteProfile },
): string {
  const counts = countsOf(item, types);
  const label = types.get(item.type)?.label ?? item.type;
  const holding = counts.length === 0 ? "" : ` with ${counts.join(" and ")}`;
  return `${item.title}: ${label.toLowerCase()}${holding} at ${site.name}.`;
}

/** Breadcrumbs. */
function trailOf(item: { path: string }, type: ContentType): Anchor[] {
  const home = { text: "Home", to: "/" };
  if (item.path === "/") return [];
  return type.listPath === null ? [home] : [home, { text: type.plural, to: type.listPath }];
}

function textBlocks(item: PublishedItem, type: ContentType, types: ContentTypes): Block[] {
  const body = { html: item.html, markdown: item.markdown };
  const lead: Block[] = item.hasOwnSummary ? [{ kind: "lead", text: item.summary }] : [];
  if (item.markdown === "") return lead;
  return isQuotation(types, type.name)
    ? [
        {
          kind: "quotes",
          quotes: [
            { text: body, language: item.language, caution: cautionText(item, types), caption: [] },
          ],
        },
        ...lead,
      ]
    : [...lead, { kind: "body", ...body }];
}

function factBlocks(item: PublishedItem, type: ContentType, types: ContentTypes): Block[] {
  const facts = [...linkFacts(item, types), ...fieldFacts(item, type)];
  const texts = Object.entries(type.fields).flatMap(([name, field]): Block[] => {
    const value = item.fields[name];
    if (field.kind !== "markdown" || typeof value !== "string" || value === "") return [];
    return [
      { kind: "heading", text: field.label, id: `field-${name}` },
      { kind: "source", markdown: value },
    ];
  });
  return [...(facts.length === 0 ? [] : [{ kind: "facts", facts } satisfies Block]), ...texts];
}

function citationBlocks(item: PublishedItem, reading: ReadingCopy): Block[] {
  const reference = sourceReference(item, reading);
  return reference === null ? [] : [{ kind: "citations", path: item.path, reference }];
}

function fieldFacts(item: PublishedItem, type: ContentType): Fact[] {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const value = item.fields[name];
    if (value === undefined || field.kind === "markdown") return [];
    if (!isShownField(name, value, { title: item.title, type })) return [];
    const values = formatValues(name, field, value);
    return values.length === 0 ? [] : [{ label: field.label, values }];
  });
}

/** The item's own links, and its neighbours: items of the same type related in either direction. */
function linkFacts(item: PublishedItem, types: ContentTypes): Fact[] {
  const views = relationViews(types, item.type).filter((view) => isFact(item.type, view));
  return views.flatMap((view) => {
    const links = includesIncoming(types, item.type, view)
      ? withNotes(item.neighbours[view.name] ?? [], item.links[view.relation] ?? [])
      : (item.links[view.relation] ?? []);
    return links.length === 0 ? [] : [{ label: view.label, values: links.map(linkLine) }];
  });
}

function isFact(type: string, view: RelationView): boolean {
  return view.direction === "out" || view.otherType === type;
}

/** Views shown as facts that include links stated by other items. */
export function neighbourViews(types: ContentTypes, type: string): RelationView[] {
  return relationViews(types, type).filter(
    (view) => isFact(type, view) && includesIncoming(types, type, view),
  );
}

/** A symmetric relation may be stated by the other item. */
function includesIncoming(types: ContentTypes, type: string, view: RelationView): boolean {
  const relation = types.get(type)?.relations[view.relation];
  return view.direction === "in" || relation?.symmetric === true;
}

function withNotes(
  neighbours: readonly LinkedItem[],
  stated: readonly LinkedItem[],
): readonly LinkedItem[] {
  const notes = new Map(stated.map(({ path, note }) => [path, note]));
  return neighbours.map((item) => ({ ...item, note: notes.get(item.path) ?? null }));
}

function linkLine(link: LinkedItem): Inline[] {
  return [itemAnchor(link), ...(link.note === null ? [] : [` – ${link.note}`])];
}

/** Groups of items that link to this one, largest first; `?page=` paginates the first. */
function groupsOf(reading: ReadingCopy, item: PublishedItem, request: PageRequest): Group[] {
  const types = reading.types();
  const count = ({ name }: RelationView) => item.counts[name] ?? 0;
  return relationViews(types, item.type)
    .filter((view) => !isFact(item.type, view) && count(view) > 0)
    .sort((a, b) => count(b) - count(a))
    .map((view, at) => {
      const limit = isQuotation(types, view.otherType) ? PAGE_QUOTES : PAGE_ITEMS;
      const name = at === 0 ? "page" : view.name;
      const page = readPageNumber(request.parameter(name));
      const offset = (page - 1) * limit;
      const { items, total } = related(reading, item, { view, limit, offset });
      return { view, name, page, offset, items, total, pages: pagesOf(total, limit) };
    });
}

function pagesOf(total: number, limit: number): number {
  return Math.max(1, Math.ceil(total / limit));
}

function related(
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
    sort: reading.types().get(otherType)?.defaultSort ?? "title",
    descending: false,
    limit,
    offset,
  });
}

function groupBlocks(reading: ReadingCopy, item: PublishedItem, group: Group): Block[] {
  const { items, view, name, total, offset, page, pages } = group;
  const path = encodeURI(item.path);
  const paging = pagingOf(page, pages, (n) => pageAddress(path, n, name));
  const under = { path: item.path, relation: view.relation };
  const heading = `${view.label} (${total})`;
  const range = { offset, shown: items.length, total };
  return [
    { kind: "heading", text: heading, id: `group-${view.name}` },
    ...(paging === null ? [] : [{ kind: "paragraph" as const, line: rangeLine(paging, range) }]),
    ...listBlocks(items, reading, under),
    ...(paging === null ? [] : [{ kind: "paging" as const, paging }]),
  ];
}
