import { type ContentTypes, relationViews } from "../content-type.ts";
import { cutAtWord } from "../folding.ts";
import type { ItemSummary, LinkedItem, ReadingCopy } from "../library.ts";
import { shownDate } from "./shown-values.ts";
import type { Anchor, Entry, Inline, Quote } from "./view.ts";

const QUOTE_CHARACTERS_MAX = 700;
const SOURCES: ReadonlySet<string> = new Set(["Person", "Organization", "CreativeWork", "Book"]);

export function itemAnchor(item: { path: string; title: string; language?: string }): Anchor {
  const anchor: Anchor = { text: item.title, to: encodeURI(item.path) };
  return item.language === undefined ? anchor : { ...anchor, language: item.language };
}

/** Links with commas between. */
function itemAnchors(items: readonly LinkedItem[]): Inline[] {
  return items.flatMap((item, at) => [...(at === 0 ? [] : [", "]), itemAnchor(item)]);
}

/** Is the body of such items what somebody said, so that it is shown as a quotation? */
export function isQuotation(types: ContentTypes, typeName: string): boolean {
  return types.get(typeName)?.schemaOrg === "Quotation";
}

/** Where this item is listed as related to another one, and on what basis. */
export interface ListedUnder {
  path: string;
  relation: string;
}

/** A quotation in a list: its words, then who said them where, and its own page. */
function quoteOf(item: ItemSummary, types: ContentTypes, under?: ListedUnder): Quote {
  const source = sourceLine(item, types, under);
  const basis = under === undefined ? null : basisOf(item, under);
  return {
    text: cutAtWord(item.text, QUOTE_CHARACTERS_MAX),
    language: item.language,
    caption: [
      ...source,
      ...(source.length === 0 ? [] : [" · "]),
      itemAnchor(item),
      ...(basis === null ? [] : [` · listed here by ${basis}`]),
    ],
  };
}

/** Any other item in a list: its name, what sets it apart, and its summary. */
export function entryOf(item: ItemSummary, types: ContentTypes, under?: ListedUnder): Entry {
  const facts = [...datesOf(item, types), ...countsOf(item, types)];
  const links = sourceLine(item, types, under);
  const basis = under === undefined ? null : basisOf(item, under);
  return {
    line: [
      itemAnchor(item),
      ...(links.length === 0 ? [] : [" – ", ...links]),
      ...(facts.length === 0 ? [] : [` (${facts.join(", ")})`]),
      ...(basis === null ? [] : [` · listed here by ${basis}`]),
    ],
    note: item.summary === "" ? [] : [item.summary],
  };
}

/** "1 work", "214 quotations": for each group of others that point at the item. */
export function countsOf(item: ItemSummary, types: ContentTypes): string[] {
  return relationViews(types, item.type)
    .filter(({ direction, otherType }) => direction === "in" && otherType !== item.type)
    .map(({ name, label, otherType }) => {
      const count = item.counts[name] ?? 0;
      const noun = count === 1 ? (types.get(otherType)?.label ?? label) : label;
      return count === 0 ? "" : `${count} ${noun.toLowerCase()}`;
    })
    .filter((count) => count !== "");
}

/** The blocks a list of such items makes. */
export function listBlocks(
  items: readonly ItemSummary[],
  reading: Pick<ReadingCopy, "types">,
  under?: ListedUnder,
): ({ kind: "quotes"; quotes: Quote[] } | { kind: "entries"; entries: Entry[] })[] {
  const types = reading.types();
  const [first] = items;
  if (first === undefined) return [];
  return isQuotation(types, first.type)
    ? [{ kind: "quotes", quotes: items.map((item) => quoteOf(item, types, under)) }]
    : [{ kind: "entries", entries: items.map((item) => entryOf(item, types, under)) }];
}

/** Whose it is and where it stands: links to persons and works, but not to the page it is listed on. */
function sourceLine(item: ItemSummary, types: ContentTypes, under?: ListedUnder): Inline[] {
  const relations = types.get(item.type)?.relations ?? {};
  const groups = Object.entries(relations)
    .filter(([, { target }]) => SOURCES.has(types.get(target)?.schemaOrg ?? ""))
    .map(([name]) => (item.links[name] ?? []).filter(({ path }) => path !== under?.path))
    .filter((links) => links.length > 0);
  const locator = item.fields["locator"];
  return [...groups.map(itemAnchors), ...(typeof locator === "string" ? [[locator]] : [])].flatMap(
    (part, at) => [...(at === 0 ? [] : [", "]), ...part],
  );
}

function basisOf(item: ItemSummary, { path, relation }: ListedUnder): string | null {
  return item.links[relation]?.find((link) => link.path === path)?.note ?? null;
}

/** "born 1842", "1911". */
function datesOf({ type, fields }: ItemSummary, types: ContentTypes): string[] {
  return Object.entries(types.get(type)?.fields ?? {}).flatMap(([name, { kind, label }]) => {
    const value = fields[name];
    if (value === undefined) return [];
    if (name === "year") return [shownDate(String(value))];
    const isDate = kind === "date" || kind === "partial_date";
    return isDate ? [`${label.toLowerCase()} ${shownDate(String(value))}`] : [];
  });
}
