import { cutAtWord } from "../../search/language/folding.ts";
import type { ItemSummary, ReadingCopy } from "../library.ts";
import { type ContentTypes, cautionsOf, relationViews } from "../types/content-type.ts";
import { formatDate } from "./field-values.ts";
import type { Anchor, Entry, Inline, Quote } from "./view.ts";

const QUOTE_CHARACTERS_MAX = 700;
const SOURCES: ReadonlySet<string> = new Set(["Person", "Organization", "CreativeWork", "Book"]);

export function itemAnchor(item: { path: string; title: string; language?: string }): Anchor {
  const anchor: Anchor = { text: item.title, to: encodeURI(item.path) };
  return item.language === undefined ? anchor : { ...anchor, language: item.language };
}

/** Whether bodies of this type are quotations and rendered as such. */
export function isQuotation(types: ContentTypes, typeName: string): boolean {
  return types.get(typeName)?.schemaOrg === "Quotation";
}

/** The item and relation under which a list is shown. */
export interface ListedUnder {
  path: string;
  relation: string;
}

/** The context of an item in a list. */
interface Listing {
  /** The current page, which is not linked again. */
  path: string | null;
  basis: Inline | null;
}

const NOWHERE: Listing = { path: null, basis: null };

/** A quotation in a list: its text, source and link. */
function quoteOf(item: ItemSummary, types: ContentTypes, { path, basis }: Listing): Quote {
  const source = sourceLine(item, types, path);
  const standing = standingsOf(item, types).map((each): Inline[] => [each]);
  const parts = [...(source.length === 0 ? [] : [source]), ...standing, [itemAnchor(item)]];
  return {
    text: cutAtWord(item.text, QUOTE_CHARACTERS_MAX),
    language: item.language,
    caution: cautionText(item, types),
    caption: [
      ...parts.flatMap((part, at) => (at === 0 ? part : [" · ", ...part])),
      ...(basis === null ? [] : [basis]),
    ],
  };
}

/** Any other item in a list: its name, distinguishing facts and summary. */
export function entryOf(
  item: ItemSummary,
  types: ContentTypes,
  { path, basis }: Listing = NOWHERE,
): Entry {
  const facts = [...datesOf(item, types), ...countsOf(item, types), ...standingsOf(item, types)];
  const links = sourceLine(item, types, path);
  const caution = cautionText(item, types);
  return {
    line: [
      ...(caution === null ? [] : [`${caution}: `]),
      itemAnchor(item),
      ...(links.length === 0 ? [] : [" – ", ...links]),
      ...(facts.length === 0 ? [] : [` (${facts.join(", ")})`]),
      ...(basis === null ? [] : [basis]),
    ],
    note: item.summary === "" ? [] : [item.summary],
  };
}

/** "Disputed", if something of the item calls for caution. */
export function cautionText(
  { type, fields }: Pick<ItemSummary, "type" | "fields">,
  types: ContentTypes,
): string | null {
  const [caution] = cautionsOf(types.get(type), fields);
  return caution === undefined ? null : caution[1].charAt(0).toUpperCase() + caution[1].slice(1);
}

/** The title for lists in which nothing else is shown: "Disputed: Time flies". */
export function cautiousTitle(
  item: Pick<ItemSummary, "type" | "fields" | "title">,
  types: ContentTypes,
): string {
  const caution = cautionText(item, types);
  return caution === null ? item.title : `${caution}: ${item.title}`;
}

/** How far the item is checked, where that calls for no caution: "verified". */
export function standingsOf({ type, fields }: ItemSummary, types: ContentTypes): string[] {
  return Object.entries(types.get(type)?.fields ?? {}).flatMap(([name, { cautions = [] }]) => {
    const value = fields[name];
    const isSaid = typeof value === "string" && cautions.length > 0 && !cautions.includes(value);
    return isSaid ? [value] : [];
  });
}

/** "1 work", "214 quotations": the numbers of incoming links by group. */
export function countsOf(
  item: Pick<ItemSummary, "type" | "counts">,
  types: ContentTypes,
): string[] {
  return relationViews(types, item.type)
    .filter(({ direction, otherType }) => direction === "in" && otherType !== item.type)
    .map(({ name, label, otherType }) => {
      const count = item.counts[name] ?? 0;
      const noun = count === 1 ? (types.get(otherType)?.label ?? label) : label;
      return count === 0 ? "" : `${count} ${noun.toLowerCase()}`;
    })
    .filter((count) => count !== "");
}

export function listBlocks(
  items: readonly ItemSummary[],
  reading: Pick<ReadingCopy, "types">,
  under?: ListedUnder,
): ListBlock[] {
  const types = reading.types();
  const [first] = items;
  if (first === undefined) return [];
  const listed = items.map((item) => ({ item, where: listingOf(item, under) }));
  return [
    isQuotation(types, first.type)
      ? { kind: "quotes", quotes: listed.map(({ item, where }) => quoteOf(item, types, where)) }
      : { kind: "entries", entries: listed.map(({ item, where }) => entryOf(item, types, where)) },
  ];
}

export type ListBlock =
  | { kind: "quotes"; quotes: readonly Quote[] }
  | { kind: "entries"; entries: readonly Entry[] };

function listingOf(item: ItemSummary, under: ListedUnder | undefined): Listing {
  if (under === undefined) return NOWHERE;
  const note = item.links[under.relation]?.find(({ path }) => path === under.path)?.note ?? null;
  return { path: under.path, basis: note === null ? null : ` · listed here by ${note}` };
}

/** Whether this type is credited as a source in lists. */
function isSource(types: ContentTypes, typeName: string): boolean {
  return SOURCES.has(types.get(typeName)?.schemaOrg ?? "");
}

/** The item's authors and works, without the page it is listed on, and the place in the work. */
function sourceLine(item: ItemSummary, types: ContentTypes, listedOn: string | null): Inline[] {
  const line: Inline[] = [];
  const add = (piece: Inline) => line.push(...(line.length === 0 ? [] : [", "]), piece);
  for (const [name, { target }] of Object.entries(types.get(item.type)?.relations ?? {})) {
    if (!isSource(types, target)) continue;
    for (const link of item.links[name] ?? []) if (link.path !== listedOn) add(itemAnchor(link));
  }
  const locator = item.fields["locator"];
  if (typeof locator === "string") add(locator);
  return line;
}

/** "born 1842", "1911". */
function datesOf({ type, fields }: ItemSummary, types: ContentTypes): string[] {
  return Object.entries(types.get(type)?.fields ?? {}).flatMap(([name, { kind, label }]) => {
    const value = fields[name];
    if (value === undefined) return [];
    if (name === "year") return [formatDate(String(value))];
    const isDate = kind === "date" || kind === "partial_date";
    return isDate ? [`${label.toLowerCase()} ${formatDate(String(value))}`] : [];
  });
}
