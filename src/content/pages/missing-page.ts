import { SEARCH_PATH } from "../addresses/paths.ts";
import type { ItemSummary, ReadingCopy } from "../library.ts";
import { sectionsInEdition, typesWithItems } from "../lists/sections.ts";
import { type Edition, editionPath, splitEditionPrefix } from "../site/editions.ts";
import { itemAnchor, joinInlineContent } from "./lines.ts";
import { titleWithWarning } from "./quotations/seals.ts";
import { isTitleStartOfText } from "./title-start.ts";
import type { Block, InlineContent, PageView } from "./view.ts";

const PATH_CHARACTERS_MAX = 120;

/** A path without a page: it was never published (404), or its page was withdrawn (410). */
export interface MissingPath {
  status: 404 | 410;
  /** The requested path, decoded. */
  path: string;
  /**
   * The query string, such as `?page=400`, if there is a list at the path but not this page of it; empty if
   * there is nothing at the path.
   */
  query?: string;
  /** Title of the withdrawn page, if known. */
  goneTitle?: string | null;
}

/** The page for 404 and 410, with suggestions. */
export function buildMissingPage(
  reading: ReadingCopy,
  missing: MissingPath,
  suggestions: readonly ItemSummary[],
): PageView {
  const { edition } = splitEditionPrefix(reading, missing.path);
  const { missing: texts, frame } = edition.texts;
  const { name } = edition.site;
  const { query = "" } = missing;
  const path: InlineContent = { code: shownPath(missing.path) + query };
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
      { kind: "paragraph", line: [`${texts.startFrom} `, ...startingPoints(reading, edition)] },
      { kind: "aside", line: [`${texts.forPrograms} `, ...documents(edition)] },
    ],
  };
}

function suggestionBlocks(suggestions: readonly ItemSummary[], { texts, types }: Edition): Block[] {
  if (suggestions.length === 0) return [];
  const entries = suggestions.map((item) => ({
    line: [itemAnchor({ ...item, title: titleWithWarning(item, types) })],
    // Most quotations' summaries begin with the title, so a note would repeat the line above.
    note: item.summary === "" || isTitleStartOfText(item) ? [] : [item.summary],
    noteLanguage: item.language,
  }));
  return [
    { kind: "paragraph", line: [texts.missing.didYouMean] },
    { kind: "entries", entries },
  ];
}

function searchBlock(reading: ReadingCopy, edition: Edition): Block {
  const types = typesWithItems(reading, edition);
  const action = editionPath(edition, SEARCH_PATH);
  return { kind: "search", action, text: "", types, chosen: null };
}

/** Links to the home page and the lists of the edition. */
function startingPoints(reading: ReadingCopy, edition: Edition): InlineContent[] {
  const { missing, comma } = edition.texts;
  const lists = sectionsInEdition(reading, edition).map(({ type, listPath }) => ({
    text: type.plural,
    to: listPath,
  }));
  return joinInlineContent(
    [{ text: missing.homePage, to: editionPath(edition, "/") }, ...lists],
    comma,
  );
}

function documents({ texts: { missing, comma } }: Edition): InlineContent[] {
  const sitemap = { text: missing.sitemap, to: "/sitemap.xml" };
  return joinInlineContent([{ text: "llms.txt", to: "/llms.txt" }, sitemap], comma);
}

/** The path made printable, on one line and of limited length. */
function shownPath(path: string): string {
  const printable = path.replaceAll(/[\p{C}\p{Z}`<>]/gu, "�");
  const characters = [...printable];
  if (characters.length <= PATH_CHARACTERS_MAX) return printable;
  return `${characters.slice(0, PATH_CHARACTERS_MAX - 1).join("")}…`;
}
