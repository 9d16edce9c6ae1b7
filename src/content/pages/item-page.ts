import { type ContentType, type RelationView, relationViews } from "../content-type.ts";
import type { ItemSummary, LinkedItem, PublishedItem, ReadingCopy } from "../library.ts";
import { countsOf, isQuotation, itemAnchor, listBlocks } from "./lines.ts";
import {
  PAGE_ITEMS,
  PAGE_QUOTES,
  pageAddress,
  pagingOf,
  rangeLine,
  readPageNumber,
} from "./paging.ts";
import { shownValues } from "./shown-values.ts";
import type { Anchor, Block, Fact, Inline, PageRequest, PageView } from "./view.ts";

/** Related items of the item's own kind are named in a line, not listed, up to so many. */
const NEIGHBOURS_MAX = 100;

interface Group {
  view: RelationView;
  items: ItemSummary[];
  total: number;
  offset: number;
  page: number;
  pages: number;
}

/** The page of a published item; null when the query asks for a page of its lists there is not. */
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
    description: item.summary === "" ? descriptionOf(reading, item, type) : item.summary,
    language: item.language,
    updatedAt: latest.sort().at(-1) ?? item.updatedAt,
    isIndexed: true,
    subject: { kind: "item", item },
    trail: trailOf(item, type),
    translations: item.translations,
    blocks: [
      ...textBlocks(reading, item, type),
      ...factBlocks(reading, item, type),
      ...[...groups].reverse().flatMap((group) => groupBlocks(reading, item, { group, main })),
    ],
  };
}

/** For an item that is nothing but what others relate to it, as many topics are. */
function descriptionOf(reading: ReadingCopy, item: PublishedItem, type: ContentType): string {
  const counts = countsOf(item, reading.types());
  const holding = counts.length === 0 ? "" : ` with ${counts.join(" and ")}`;
  return `${item.title}: ${type.label.toLowerCase()}${holding} at ${reading.site().name}.`;
}

function trailOf(item: PublishedItem, type: ContentType): Anchor[] {
  const home = { text: "Home", to: "/" };
  if (item.path === "/") return [];
  return type.listPath === null ? [home] : [home, { text: type.plural, to: type.listPath }];
}

function textBlocks(reading: ReadingCopy, item: PublishedItem, type: ContentType): Block[] {
  const body = { html: item.html, markdown: item.markdown };
  const lead: Block[] = item.hasOwnSummary ? [{ kind: "lead", text: item.summary }] : [];
  if (item.markdown === "") return lead;
  return isQuotation(reading.types(), type.name)
    ? [{ kind: "quotes", quotes: [{ text: body, language: item.language, caption: [] }] }, ...lead]
    : [...lead, { kind: "body", ...body }];
}

function factBlocks(reading: ReadingCopy, item: PublishedItem, type: ContentType): Block[] {
  const facts = [...linkFacts(reading, item), ...fieldFacts(item, type)];
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

function fieldFacts(item: PublishedItem, type: ContentType): Fact[] {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const value = item.fields[name];
    // A page's place in the navigation is no news to its readers.
    if (value === undefined || field.kind === "markdown" || name === "navigation") return [];
    const values = shownValues(name, field, value);
    return values.length === 0 ? [] : [{ label: field.label, values }];
  });
}

/** What the item itself states, and its neighbours: items of its own kind, from either end. */
function linkFacts(reading: ReadingCopy, item: PublishedItem): Fact[] {
  const views = relationViews(reading.types(), item.type).filter((view) => isFact(item, view));
  return views.flatMap((view) => {
    const links = isStated(reading, item, view)
      ? (item.links[view.relation] ?? [])
      : neighbours(reading, item, view);
    return links.length === 0 ? [] : [{ label: view.label, values: links.map(linkLine) }];
  });
}

function isFact(item: PublishedItem, view: RelationView): boolean {
  return view.direction === "out" || view.otherType === item.type;
}

/** A symmetric relation may have been stated at the other end. */
function isStated(reading: ReadingCopy, item: PublishedItem, view: RelationView): boolean {
  const relation = reading.types().get(item.type)?.relations[view.relation];
  return view.direction === "out" && relation?.symmetric !== true;
}

function neighbours(reading: ReadingCopy, item: PublishedItem, view: RelationView): LinkedItem[] {
  const notes = new Map((item.links[view.relation] ?? []).map(({ path, note }) => [path, note]));
  const { items } = related(reading, item, view, { limit: NEIGHBOURS_MAX, offset: 0 });
  return items.map(({ path, type, title }) => ({
    path,
    type,
    title,
    note: notes.get(path) ?? null,
  }));
}

function linkLine(link: LinkedItem): Inline[] {
  return [itemAnchor(link), ...(link.note === null ? [] : [` – ${link.note}`])];
}

/** What points at the item, the largest group first: `?page=` leafs through that one. */
function groupsOf(reading: ReadingCopy, item: PublishedItem, request: PageRequest): Group[] {
  const views = relationViews(reading.types(), item.type)
    .filter((view) => !isFact(item, view))
    .filter(({ name }) => (item.counts[name] ?? 0) > 0)
    .sort((a, b) => (item.counts[b.name] ?? 0) - (item.counts[a.name] ?? 0));
  return views.map((view, at) => {
    const limit = isQuotation(reading.types(), view.otherType) ? PAGE_QUOTES : PAGE_ITEMS;
    const page = readPageNumber(request.parameter(at === 0 ? "page" : view.name));
    const offset = (page - 1) * limit;
    const { items, total } = related(reading, item, view, { limit, offset });
    return { view, items, total, offset, page, pages: Math.max(1, Math.ceil(total / limit)) };
  });
}

function related(
  reading: ReadingCopy,
  item: PublishedItem,
  { direction, relation, otherType }: RelationView,
  part: { limit: number; offset: number },
) {
  return reading.list({
    types: [otherType],
    filters: [],
    links: [{ direction, relation, anchors: [item.path] }],
    sort: reading.types().get(otherType)?.defaultSort ?? "title",
    descending: false,
    ...part,
  });
}

function groupBlocks(
  reading: ReadingCopy,
  item: PublishedItem,
  { group, main }: { group: Group; main: Group | undefined },
): Block[] {
  const { view, items, total, offset, page, pages } = group;
  const name = group === main ? "page" : view.name;
  const paging = pagingOf(page, pages, (n) => pageAddress(encodeURI(item.path), n, name));
  return [
    { kind: "heading", text: `${view.label} (${total})`, id: `group-${view.name}` },
    ...(paging === null
      ? []
      : [
          {
            kind: "paragraph",
            line: rangeLine(paging, { offset, shown: items.length, total }),
          } satisfies Block,
        ]),
    ...listBlocks(items, reading, { path: item.path, relation: view.relation }),
    ...(paging === null ? [] : [{ kind: "paging", paging } satisfies Block]),
  ];
}
