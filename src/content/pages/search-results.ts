import { cutAtWord } from "../../search/language/folding.ts";
import { wordsOf } from "../../search/language/words.ts";
import type { ItemSummary, ReadingCopy, SearchHit, SearchPage } from "../library.ts";
import { sectionsInEdition } from "../lists/sections.ts";
import type { Edition } from "../site/editions.ts";
import {
  buildListEntryAnnotations,
  formatSourcesAfterName,
  isQuotationType,
  itemAnchor,
  joinInlineContent,
} from "./lines.ts";
import { buildPaging } from "./paging.ts";
import { isTitleStartOfText } from "./title-start.ts";
import { type Anchor, type Block, type InlineContent, LINE_BREAK, type ListEntry } from "./view.ts";

export const HITS_PER_PAGE = 20;
/** Number of the last page of results. Requests for later pages get this page. */
export const LAST_RESULT_PAGE = 50;
const QUOTED_CHARACTERS_MAX = 300;
const UNCUT_QUOTATION_CHARACTERS_MAX = 200;

interface ResultsRequest {
  text: string;
  chosen: string | null;
  page: number;
  /** The address of the same search with one parameter changed. */
  addressOf: (change: { page?: number; chosen?: string; isVerbatim?: boolean }) => string;
  edition: Edition;
}

/**
 * The blocks for a page of search results. If the hits are of several types, the first page starts
 * with the best match. The other hits follow, grouped by type.
 */
export function buildSearchResultBlocks(
  reading: ReadingCopy,
  request: ResultsRequest,
  found: SearchPage,
): Block[] {
  const { hits, hasMore, total } = found;
  const summary: Block = { kind: "paragraph", line: summaryLine(request, found) };
  if (hits.length === 0) return [summary, ...adviceBlocks(reading, request.edition)];
  const shown = hasMore ? request.page + 1 : request.page;
  const pages = Math.min(Math.max(shown, Math.ceil(total / HITS_PER_PAGE)), LAST_RESULT_PAGE);
  const paging = buildPaging(request.page, pages, (page) => request.addressOf({ page }));
  const isMixed = Object.keys(found.counts).length > 1;
  return [
    ...(found.closeness === "distant" ? [distantNote(request.edition)] : []),
    summary,
    ...(isMixed && request.page === 1
      ? blocksByKind(request, found)
      : [entriesBlock(hits, request.edition, { isMixed })]),
    ...(paging === null ? [] : [{ kind: "paging", paging } satisfies Block]),
  ];
}

function distantNote({ texts }: Edition): Block {
  return { kind: "paragraph", line: [texts.search.distant] };
}

function summaryLine(
  { text, addressOf, edition }: ResultsRequest,
  { total, totalIsExact, correctedText, isShortened, counts }: SearchPage,
): InlineContent[] {
  const { search, list, comma } = edition.texts;
  const kinds = Object.entries(counts).map(
    ([name, items]): InlineContent => ({
      text: list.group(pluralOf(edition, name), items),
      to: addressOf({ chosen: name }),
    }),
  );
  const searched = cutAtWord(correctedText ?? text, QUOTED_CHARACTERS_MAX);
  return [
    total === 0
      ? search.nothingFor(searched)
      : search.results(total, { isExact: totalIsExact, text: searched }),
    ...(correctedText === null
      ? []
      : correctionNote(text, { to: addressOf({ isVerbatim: true }), edition })),
    ...(isShortened ? [` ${search.shortened}`] : []),
    ...(kinds.length < 2 ? [] : [` ${search.byKind} `, ...joinInlineContent(kinds, comma), "."]),
  ];
}

/**
 * Explains a correction, and links to a search for the text as typed. The wording is different for
 * several words, because only some of them may be misspelled.
 */
function correctionNote(
  text: string,
  { to, edition }: { to: string; edition: Edition },
): InlineContent[] {
  const { search } = edition.texts;
  const shown = cutAtWord(text, QUOTED_CHARACTERS_MAX);
  const note = wordsOf(text).length > 1 ? search.nothingForPart(shown) : search.nothingFor(shown);
  return [` ${note} `, { text: search.verbatim, to }, "."];
}

function blocksByKind(
  { addressOf, edition }: ResultsRequest,
  { hits, counts, closeness }: SearchPage,
): Block[] {
  const { search } = edition.texts;
  const [best, ...others] = hits;
  const hitsByType = Map.groupBy(others, ({ type }) => type);
  return [
    closeness === "distant"
      ? { kind: "heading", text: search.nearest, id: "nearest" }
      : { kind: "heading", text: search.best, id: "best-match" },
    entriesBlock(best === undefined ? [] : [best], edition, { isMixed: true }),
    ...[...hitsByType].flatMap(([name, typeHits]): Block[] => {
      const label = pluralOf(edition, name);
      const items = counts[name] ?? typeHits.length;
      const all: InlineContent[] = [
        { text: search.all(label, items), to: addressOf({ chosen: name }) },
      ];
      const isWhole = items <= typeHits.length + (best?.type === name ? 1 : 0);
      return [
        { kind: "heading", text: label, id: `found-${name}` },
        entriesBlock(typeHits, edition, { isMixed: false }),
        ...(isWhole ? [] : [{ kind: "paragraph", line: all } satisfies Block]),
      ];
    }),
  ];
}

function pluralOf({ types }: Edition, name: string): string {
  return types.get(name)?.plural ?? name;
}

/** Labels each hit with its type if the list mixes types. */
function entriesBlock(
  hits: readonly SearchHit[],
  edition: Edition,
  kinds: { isMixed: boolean },
): Block {
  return { kind: "entries", entries: hits.map((hit) => hitEntry(hit, edition, kinds)) };
}

/** A hit in a list. If a quotation has no name, its source is on the line below. */
function hitEntry(hit: SearchHit, edition: Edition, { isMixed }: { isMixed: boolean }): ListEntry {
  const label = edition.types.get(hit.type)?.label ?? hit.type;
  const { caution, sources, facts } = buildListEntryAnnotations(hit, edition);
  const kind = isMixed ? [` · ${label}`] : [];
  const isPassage = isQuotationType(edition.types, hit.type);
  if (isPassage && isTitleStartOfText(hit)) {
    const below = [LINE_BREAK, ...(isMixed ? [`${label} · `] : []), ...sources];
    const after = sources.length === 0 ? kind : below;
    return { line: [...caution, passageAnchor(hit), ...after, ...facts], note: [] };
  }
  const snippet = isPassage ? hit.snippet : hit.snippet.replaceAll("\n", " ");
  return {
    line: [...caution, itemAnchor(hit), ...kind, ...formatSourcesAfterName(sources), ...facts],
    note: snippetPieces(snippet),
    noteLanguage: hit.language,
  };
}

/**
 * A list entry for an item without a search snippet. Shows the start of a quotation, or the summary
 * of any other item.
 */
export function searchResultEntryOf(item: ItemSummary, edition: Edition): ListEntry {
  const start = cutAtWord(item.text.replaceAll(/\s+/g, " ").trim(), QUOTED_CHARACTERS_MAX);
  const snippet = isQuotationType(edition.types, item.type) ? start : item.summary;
  return hitEntry({ ...item, snippet }, edition, { isMixed: true });
}

/**
 * A link to a quotation that has no name. The label is the quotation's whole text if it is short,
 * or else the snippet.
 */
function passageAnchor(hit: SearchHit): Anchor {
  const text = hit.text.replaceAll(/\n+/g, "\n").trim();
  const passage = hit.snippet.replaceAll(/^(?:…|\.{3})|(?:…|\.{3})$/g, "");
  const start = text.indexOf(withoutMarks(passage));
  const isWhole = text.length <= UNCUT_QUOTATION_CHARACTERS_MAX && start >= 0;
  const shown = isWhole
    ? text.slice(0, start) + passage + text.slice(start + withoutMarks(passage).length)
    : hit.snippet;
  const anchor = itemAnchor({ ...hit, title: withoutMarks(shown) });
  return shown === "" ? itemAnchor(hit) : { ...anchor, pieces: snippetPieces(shown) };
}

function withoutMarks(snippet: string): string {
  return snippet.replaceAll("\u0002", "").replaceAll("\u0003", "");
}

/** Splits a snippet at its matches, which are enclosed in U+0002 and U+0003. */
function snippetPieces(snippet: string): (string | { match: string })[] {
  if (snippet === "") return [];
  return snippet.split("\u0002").flatMap((piece, at) => {
    if (at === 0) return linePieces(piece);
    const [match = "", rest = ""] = piece.split("\u0003");
    return [{ match }, ...linePieces(rest)];
  });
}

function linePieces(text: string): string[] {
  return text.split("\n").flatMap((line, at) => (at === 0 ? [line] : [LINE_BREAK, line]));
}

function adviceBlocks(reading: ReadingCopy, edition: Edition): Block[] {
  return [
    {
      kind: "paragraph",
      line: appendSectionLinks(edition.texts.search.advice, reading, edition),
    },
  ];
}

/** A text, followed by links to the lists of the edition. */
export function appendSectionLinks(
  text: string,
  reading: ReadingCopy,
  edition: Edition,
): InlineContent[] {
  const { search, comma } = edition.texts;
  const sections = sectionsInEdition(reading, edition).map(
    ({ type, listPath }): InlineContent => ({ text: type.plural, to: listPath }),
  );
  const browse = [` ${search.browse} `, ...joinInlineContent(sections, comma), "."];
  return [text, ...(sections.length === 0 ? [] : browse)];
}
