import { cutAtWord } from "../../search/language/folding.ts";
import { wordsOf } from "../../search/language/words.ts";
import type { ReadingCopy, SearchHit, SearchPage } from "../library.ts";
import { sectionsOf } from "../lists/sections.ts";
import { cautionText, entryOf } from "./lines.ts";
import { pagingOf } from "./paging.ts";
import type { Block, Entry, Inline } from "./view.ts";

export const HITS_PER_PAGE = 20;
const QUOTED_CHARACTERS_MAX = 300;

interface Asked {
  text: string;
  chosen: string | null;
  page: number;
  /** The address of the same search, but for what is given. */
  addressOf: (change: { page?: number; chosen?: string; isVerbatim?: boolean }) => string;
}

/** Results of a search by kind: the best match, then each kind with its number. */
export function resultBlocks(reading: ReadingCopy, asked: Asked, found: SearchPage): Block[] {
  const { hits, hasMore, total } = found;
  const summary: Block = { kind: "paragraph", line: summaryLine(reading, asked, found) };
  if (hits.length === 0) return [summary, ...adviceBlocks(reading)];
  const pages = hasMore ? asked.page + 1 : asked.page;
  const paging = pagingOf(asked.page, Math.max(pages, Math.ceil(total / HITS_PER_PAGE)), (page) =>
    asked.addressOf({ page }),
  );
  const isByKind = asked.page === 1 && Object.keys(found.counts).length > 1;
  return [
    ...(found.closeness === "distant" ? [distantNote()] : []),
    summary,
    ...(isByKind ? blocksByKind(reading, asked, found) : [entriesBlock(reading, hits)]),
    ...(paging === null ? [] : [{ kind: "paging", paging } satisfies Block]),
  ];
}

function distantNote(): Block {
  return { kind: "paragraph", line: ["No line matches; the nearest are these."] };
}

function summaryLine(
  reading: ReadingCopy,
  { text, addressOf }: Asked,
  { total, totalIsExact, correctedText, isShortened, counts }: SearchPage,
): Inline[] {
  const count = `${totalIsExact ? "" : "More than "}${total} ${total === 1 ? "result" : "results"}`;
  const kinds = Object.entries(counts).map(([name, items]): Inline[] => [
    { text: `${labelOf(reading, name)} ${items}`, to: addressOf({ chosen: name }) },
  ]);
  const searched = cutAtWord(correctedText ?? text, QUOTED_CHARACTERS_MAX);
  return [
    `${count} for “${searched}”.`,
    ...(correctedText === null ? [] : correctionNote(text, addressOf({ isVerbatim: true }))),
    ...(isShortened ? [" The words that tell most were searched, not all."] : []),
    ...(kinds.length < 2 ? [] : [" By kind: ", ...listed(kinds), "."]),
  ];
}

/** Of several words, only one may have been misspelled or have another name. */
function correctionNote(text: string, verbatim: string): Inline[] {
  const part = wordsOf(text).length > 1 ? "a part of " : "";
  return [
    ` Nothing was found for ${part}“${cutAtWord(text, QUOTED_CHARACTERS_MAX)}”. `,
    { text: "Search for exactly that", to: verbatim },
    ".",
  ];
}

function listed(parts: readonly (readonly Inline[])[]): Inline[] {
  return parts.flatMap((part, at) => (at === 0 ? part : [", ", ...part]));
}

function blocksByKind(
  reading: ReadingCopy,
  { addressOf }: Asked,
  { hits, counts }: SearchPage,
): Block[] {
  const [best, ...others] = hits;
  const kinds = Map.groupBy(others, ({ type }) => type);
  return [
    { kind: "heading", text: "Best match", id: "best-match" },
    entriesBlock(reading, best === undefined ? [] : [best]),
    ...[...kinds].flatMap(([name, some]): Block[] => {
      const label = labelOf(reading, name);
      const items = counts[name] ?? some.length;
      const all: Inline[] = [{ text: `All ${items}: ${label}`, to: addressOf({ chosen: name }) }];
      const isWhole = items <= some.length + (best?.type === name ? 1 : 0);
      return [
        { kind: "heading", text: label, id: `found-${name}` },
        entriesBlock(reading, some),
        ...(isWhole ? [] : [{ kind: "paragraph", line: all } satisfies Block]),
      ];
    }),
  ];
}

function labelOf(reading: ReadingCopy, name: string): string {
  return reading.types().get(name)?.plural ?? name;
}

function entriesBlock(reading: ReadingCopy, hits: readonly SearchHit[]): Block {
  return { kind: "entries", entries: hits.map((hit) => hitEntry(reading, hit)) };
}

function hitEntry(reading: ReadingCopy, hit: SearchHit): Entry {
  const types = reading.types();
  const label = types.get(hit.type)?.label ?? hit.type;
  const { line } = entryOf(hit, types);
  const titleEnd = cautionText(hit, types) === null ? 1 : 2;
  const labelled = [...line.slice(0, titleEnd), ` · ${label}`, ...line.slice(titleEnd)];
  return { line: labelled, note: snippetLine(hit.snippet) };
}

/** Matches are enclosed in U+0002 and U+0003. */
function snippetLine(snippet: string): Inline[] {
  if (snippet === "") return [];
  return snippet.split("\u0002").flatMap((piece, at): Inline[] => {
    if (at === 0) return [piece];
    const [match = "", rest = ""] = piece.split("\u0003");
    return [{ match }, rest];
  });
}

function adviceBlocks(reading: ReadingCopy): Block[] {
  const sections = sectionsOf(reading).flatMap(({ type, listPath }, at): Inline[] => [
    ...(at === 0 ? [] : [", "]),
    { text: type.plural, to: listPath },
  ]);
  return [
    {
      kind: "paragraph",
      line: [
        "Try fewer or other words",
        ...(sections.length === 0 ? ["."] : [", or browse: ", ...sections, "."]),
      ],
    },
  ];
}
