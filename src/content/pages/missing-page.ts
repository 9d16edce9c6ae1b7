import { SEARCH_PATH } from "../addresses/paths.ts";
import type { ItemSummary, ReadingCopy } from "../library.ts";
import { sectionsIn, typesWithItems } from "../lists/sections.ts";
import { type Edition, editionAt, editionPath } from "../site/editions.ts";
import { isStartOfText, itemAnchor } from "./lines.ts";
import { cautiousTitle } from "./quotations/seals.ts";
import type { Block, Entry, Inline, PageView } from "./view.ts";

const PATH_CHARACTERS_MAX = 120;

/** Why there is no page: never published, or withdrawn. */
export interface MissingPath {
  status: 404 | 410;
  /** The requested path, decoded. */
  path: string;
  /** The requested page of a list, such as `?page=400` of a shorter list; empty: none. */
  query?: string;
  /** Title of the withdrawn page, if known. */
  goneTitle?: string | null;
}

/** The page for 404 and 410, with suggestions. */
export function missingPage(
  reading: ReadingCopy,
  missing: MissingPath,
  suggestions: readonly ItemSummary[],
): PageView {
  const { edition } = editionAt(reading, missing.path);
  const { missing: texts, frame } = edition.texts;
  const { name } = edition.site;
  const { query = "" } = missing;
  const path: Inline = { code: shownPath(missing.path) + query };
  const isGone = missing.status === 410;
  return {
    path: missing.path,
    query,
    title: isGone ? texts.withdrawn : texts.notFound,
    description: texts.description,
    language: edition.language,
    textLanguage: edition.language,
    updatedAt: null,
    isIndexed: false,
    subject: { kind: "nothing" },
    trail: [{ text: frame.home, to: editionPath(edition, "/") }],
    translations: [],
    blocks: [
      {
        kind: "paragraph",
        line: isGone
          ? texts.wasPageOf(path, name, missing.goneTitle ?? null)
          : texts.noPageOf(path, name),
      },
      ...suggestionBlocks(suggestions, edition),
      searchBlock(reading, edition),
      { kind: "paragraph", line: [texts.startFrom] },
      { kind: "entries", entries: startingPoints(reading, edition) },
      { kind: "paragraph", line: [texts.forPrograms] },
      { kind: "entries", entries: programEntries(edition) },
    ],
  };
}

function suggestionBlocks(suggestions: readonly ItemSummary[], { texts, types }: Edition): Block[] {
  if (suggestions.length === 0) return [];
  const entries = suggestions.map((item) => ({
    line: [itemAnchor({ ...item, title: cautiousTitle(item, types) })],
    // The title of most quotations is the beginning of their summary.
    note: item.summary === "" || isStartOfText(item) ? [] : [item.summary],
    noteLanguage: item.language,
  }));
  return [
    { kind: "paragraph", line: [texts.missing.didYouMean] },
    { kind: "entries", entries },
  ];
}

function startingPoints(reading: ReadingCopy, edition: Edition): Entry[] {
  const { missing: texts, search } = edition.texts;
  return [
    { line: [{ text: texts.homePage, to: editionPath(edition, "/") }], note: [] },
    { line: [{ text: search.title, to: editionPath(edition, SEARCH_PATH) }], note: [] },
    ...sectionsIn(reading, edition).map(({ type, listPath }) => ({
      line: [{ text: type.plural, to: listPath }],
      note: [],
    })),
  ];
}

function programEntries({ texts: { missing: texts } }: Edition): Entry[] {
  return [
    { line: [{ text: "llms.txt", to: "/llms.txt" }], note: [texts.guide] },
    { line: [{ text: texts.sitemap, to: "/sitemap.xml" }], note: [texts.everyPage] },
  ];
}

function searchBlock(reading: ReadingCopy, edition: Edition): Block {
  const types = typesWithItems(reading, edition);
  const action = editionPath(edition, SEARCH_PATH);
  return { kind: "search", action, text: "", types, chosen: null };
}

/** The path made printable, on one line and of limited length. */
function shownPath(path: string): string {
  const printable = path.replaceAll(/[\p{C}\p{Z}`<>]/gu, "�");
  const characters = [...printable];
  if (characters.length <= PATH_CHARACTERS_MAX) return printable;
  return `${characters.slice(0, PATH_CHARACTERS_MAX - 1).join("")}…`;
}
