import { cutAtWord } from "../../search/language/folding.ts";
import type { ItemSummary } from "../library.ts";
import type { Edition } from "../site/editions.ts";
import type { ContentTypes } from "../types/content-type.ts";
import { isEventType } from "../types/date-fields.ts";
import { relationViews } from "../types/relation-views.ts";
import { SOURCE_SCHEMA_ORG_TYPES } from "../types/source-types.ts";
import { formatEventTimeAndPlace } from "./event-line.ts";
import { localizePartialDate } from "./field-values.ts";
import { sealInEdition } from "./quotations/seals.ts";
import { isTitleStartOfText } from "./title-start.ts";
import type { Anchor, Block, InlineContent, ListEntry, Quote } from "./view.ts";

const QUOTE_CHARACTERS_MAX = 700;
export function itemAnchor(item: { path: string; title: string; language?: string }): Anchor {
  const anchor: Anchor = { text: item.title, to: encodeURI(item.path) };
  return item.language === undefined ? anchor : { ...anchor, language: item.language };
}

/** Joins pieces of inline content, or arrays of such pieces, into one line. */
export function joinInlineContent(
  parts: readonly (InlineContent | readonly InlineContent[])[],
  separator: string,
): InlineContent[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part])).flat();
}

/** Whether items of this type are quotations, whose bodies are rendered as quotations. */
export function isQuotationType(types: ContentTypes, typeName: string): boolean {
  return types.get(typeName)?.schemaOrg === "Quotation";
}

/** The item and relation under which a list is shown. */
export interface ListParent {
  path: string;
  relation: string;
}

/** The context of an item in a list. */
interface ListContext {
  /** Path of the current page, to which entries do not link; null if there is none. */
  path: string | null;
  /** Why the item is in the list; null if that is not shown. */
  reason: string | null;
}

const NO_LIST: ListContext = { path: null, reason: null };

/** A quotation in a list: its text, source and link. */
function quoteBlock(item: ItemSummary, edition: Edition, { path, reason }: ListContext): Quote {
  const caption = buildSourceLine(item, edition, path);
  const seal = sealInEdition(item, edition);
  if (seal?.isCaution === false) {
    if (caption.length > 0) caption.push(" · ");
    caption.push({ seal });
  }
  return {
    text: cutAtWord(item.text, QUOTE_CHARACTERS_MAX),
    language: item.language,
    caution: seal?.isCaution === true ? seal : null,
    caption,
    page: {
      to: encodeURI(item.path),
      title: isTitleStartOfText(item) || item.title === item.fields["locator"] ? null : item.title,
      language: item.language,
    },
    listingReason: reason,
  };
}

/** A list entry for an item other than a quotation: its name, distinguishing facts and summary. */
export function listEntryOf(
  item: ItemSummary,
  edition: Edition,
  context: ListContext = NO_LIST,
): ListEntry {
  const { caution, sources, facts } = buildListEntryAnnotations(item, edition, context);
  return {
    line: [...caution, itemAnchor(item), ...formatSourcesAfterName(sources), ...facts],
    note: item.summary === "" ? [] : [item.summary],
    noteLanguage: item.language,
  };
}

/** The parts of a list entry before its name (`caution`) and after its name (`sources`, `facts`). */
interface EntryParts {
  caution: readonly InlineContent[];
  sources: readonly InlineContent[];
  facts: readonly InlineContent[];
}

export function buildListEntryAnnotations(
  item: ItemSummary,
  edition: Edition,
  { path, reason }: ListContext = NO_LIST,
): EntryParts {
  const facts = [listedDates, formatLinkCounts].flatMap((read) => read(item, edition));
  const seal = sealInEdition(item, edition);
  return {
    caution: seal?.isCaution === true ? [{ seal }, " "] : [],
    sources: buildSourceLine(item, edition, path),
    facts: [
      ...formatEventTimeAndPlace(item, edition).map((fact) => ` · ${fact}`),
      ...factsInBrackets(facts, edition),
      ...(seal?.isCaution === false ? [" · ", { seal }] : []),
      ...(reason === null ? [] : [` · ${reason}`]),
    ],
  };
}

/** The sources of an item as the text that follows its name. */
export function formatSourcesAfterName(
  sources: readonly InlineContent[],
): readonly InlineContent[] {
  return sources.length === 0 ? [] : [" – ", ...sources];
}

function factsInBrackets(facts: readonly string[], { texts }: Edition): InlineContent[] {
  if (facts.length === 0) return [];
  const pieces = facts.map((unbroken) => ({ unbroken }));
  return [" (", ...joinInlineContent(pieces, texts.comma), ")"];
}

/** A timeline entry for an item: a line such as "born 1842 · Name – Author", and its summary. */
export function timelineEntryOf(item: ItemSummary, edition: Edition): ListEntry {
  return {
    line: [
      `${itemDates(item, edition).join(edition.texts.comma)} · `,
      itemAnchor(item),
      ...formatSourcesAfterName(buildSourceLine(item, edition, null)),
    ],
    note: item.summary === "" ? [] : [item.summary],
    noteLanguage: item.language,
  };
}

/** The number of incoming links of each relation, with its noun, such as "1 work" or "214 quotations". */
export function formatLinkCounts(
  item: Pick<ItemSummary, "type" | "counts">,
  { types, texts }: Pick<Edition, "types" | "texts">,
): string[] {
  return relationViews(types, item.type)
    .filter(({ direction, otherType }) => direction === "in" && otherType !== item.type)
    .flatMap(({ name, label, otherType }) => {
      const count = item.counts[name] ?? 0;
      const noun = { one: types.get(otherType)?.label ?? label, other: label };
      return count === 0 ? [] : [texts.countOf(count, noun)];
    });
}

/** Renders one or two lists. A line above each list says why most of its items are listed. */
export function buildListBlocks(
  items: readonly ItemSummary[],
  edition: Edition,
  listedUnder?: ListParent,
): Block[] {
  const parts = partsByNote(items.map((item) => ({ item, note: noteOf(item, listedUnder) })));
  const path = listedUnder?.path ?? null;
  return parts.flatMap((part) => partBlocks(part, { path, isWhole: parts.length === 1, edition }));
}

interface NotedItem {
  item: ItemSummary;
  note: string | null;
}

/** Splits a list in two if its first items share a note and most other items share a different note. */
function partsByNote(items: readonly NotedItem[]): (readonly NotedItem[])[] {
  const note = items[0]?.note ?? null;
  const end = items.findIndex((each) => each.note !== note);
  if (end < 2) return [items];
  const shared = sharedNote(items.slice(end));
  return shared === null || shared === note ? [items] : [items.slice(0, end), items.slice(end)];
}

function partBlocks(
  part: readonly NotedItem[],
  { path, isWhole, edition }: { path: string | null; isWhole: boolean; edition: Edition },
): Block[] {
  const [first] = part;
  if (first === undefined) return [];
  const { list } = edition.texts;
  const shared = sharedNote(part);
  const byEditors = isWhole ? null : list.partListedByEditors;
  const above = shared === null ? byEditors : list.mostListedBy(shared);
  const listed = part.map(({ item, note }) => ({
    item,
    context: { path, reason: reasonOf(note, shared, edition) },
  }));
  return [
    ...(above === null ? [] : [{ kind: "aside" as const, line: [above] }]),
    isQuotationType(edition.types, first.item.type)
      ? {
          kind: "quotes",
          quotes: listed.map(({ item, context }) => quoteBlock(item, edition, context)),
        }
      : {
          kind: "entries",
          entries: listed.map(({ item, context }) => listEntryOf(item, edition, context)),
        },
  ];
}

function noteOf(item: ItemSummary, listedUnder: ListParent | undefined): string | null {
  if (listedUnder === undefined) return null;
  const links = item.links[listedUnder.relation] ?? [];
  return links.find(({ path }) => path === listedUnder.path)?.note ?? null;
}

/** The note that more than half of the items have, shown once above them; null if there is none. */
function sharedNote(items: readonly NotedItem[]): string | null {
  if (items.length === 1) return null;
  const byNote = Map.groupBy(items, ({ note }) => note);
  const [shared] = [...byNote].find(([, equal]) => 2 * equal.length > items.length) ?? [null];
  return shared;
}

/**
 * Why an item is in a list; null if the note above the list already says so. A link without a note
 * was made by an editor.
 */
function reasonOf(note: string | null, shared: string | null, { texts }: Edition): string | null {
  if (note === shared) return null;
  return note === null ? texts.list.listedByEditors : texts.list.listedBy(note);
}

const sourceRelationsByTypes = new WeakMap<ContentTypes, Map<string, readonly string[]>>();

/** The relations that name the sources of items: their authors and works. */
export function sourceRelations(types: ContentTypes, typeName: string): readonly string[] {
  const byType = sourceRelationsByTypes.get(types) ?? new Map<string, readonly string[]>();
  sourceRelationsByTypes.set(types, byType);
  const relations = byType.get(typeName) ?? findSources(types, typeName);
  byType.set(typeName, relations);
  return relations;
}

function findSources(types: ContentTypes, typeName: string): string[] {
  return Object.entries(types.get(typeName)?.relations ?? {}).flatMap(([name, { target }]) =>
    SOURCE_SCHEMA_ORG_TYPES.has(types.get(target)?.schemaOrg ?? "") ? [name] : [],
  );
}

/**
 * The item's authors and works, and its place in the work. Omits the author or work on whose page
 * the item is listed.
 */
export function buildSourceLine(
  item: ItemSummary,
  { types, texts }: Edition,
  listedOn: string | null,
): InlineContent[] {
  const line: InlineContent[] = [];
  const add = (piece: InlineContent) => {
    if (line.length > 0) line.push(texts.comma);
    line.push(piece);
  };
  for (const name of sourceRelations(types, item.type)) {
    for (const link of item.links[name] ?? []) if (link.path !== listedOn) add(itemAnchor(link));
  }
  const locator = item.fields["locator"];
  if (typeof locator === "string") add(locator);
  return line;
}

/** The dates of an item, except the days of an event, which {@link formatEventTimeAndPlace} shows. */
function listedDates(item: ItemSummary, edition: Edition): string[] {
  const type = edition.types.get(item.type);
  if (!isEventType(type)) return itemDates(item, edition);
  const { by, until = by } = type.dated;
  const { [by]: _first, [until]: _last, ...fields } = item.fields;
  return itemDates({ type: item.type, fields }, edition);
}

/** The dates of an item, such as "1817–1862", "born 1842" or "1911". */
function itemDates(
  { type, fields }: Pick<ItemSummary, "type" | "fields">,
  { types, texts }: Edition,
): string[] {
  const { dated, fields: declared = {}, schemaOrg } = types.get(type) ?? {};
  const { born, died } = fields;
  if (schemaOrg === "Person" && born !== undefined && died !== undefined) {
    return [[born, died].map((date) => localizePartialDate(String(date), texts)).join("–")];
  }
  return Object.entries(declared).flatMap(([name, { kind, label }]) => {
    const value = fields[name];
    if (value === undefined) return [];
    if (name === "year") return [localizePartialDate(String(value), texts)];
    const isDate = kind === "date" || kind === "partial_date";
    if (name === dated?.by) return [localizePartialDate(String(value), texts)];
    return isDate ? [texts.item.dated(label, localizePartialDate(String(value), texts))] : [];
  });
}
