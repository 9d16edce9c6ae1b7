import type { ItemSummary, ReadingCopy } from "../library.ts";
import { sectionsOf } from "../lists/sections.ts";
import { itemAnchor } from "./lines.ts";
import type { Block, Entry, PageView } from "./view.ts";

const PATH_CHARACTERS_MAX = 120;

/** Why there is no page: never published, or withdrawn. */
export interface Missing {
  status: 404 | 410;
  /** As requested, decoded. */
  path: string;
  /** Title of the withdrawn page. */
  goneTitle?: string;
}

/** The page for 404 and 410, with suggestions. */
export function missingPage(
  reading: ReadingCopy,
  missing: Missing,
  suggestions: readonly ItemSummary[],
): PageView {
  const title = missing.status === 404 ? "404 – Page not found" : "410 – Page withdrawn";
  const said =
    missing.status === 404
      ? ` is not a page of ${reading.site().name}.`
      : ` was a page of ${reading.site().name}${missing.goneTitle === undefined ? "" : `, “${missing.goneTitle}”,`} and has been withdrawn.`;
  return {
    path: missing.path,
    query: "",
    title,
    description: "There is no page at this address.",
    language: reading.site().language,
    updatedAt: null,
    isIndexed: false,
    subject: { kind: "nothing" },
    trail: [{ text: "Home", to: "/" }],
    translations: [],
    blocks: [
      { kind: "paragraph", line: [{ code: shownPath(missing.path) }, said] },
      ...suggestionBlocks(suggestions),
      { kind: "paragraph", line: ["Do not guess addresses; start from one of these:"] },
      { kind: "entries", entries: recoveryEntries(reading) },
    ],
  };
}

function suggestionBlocks(suggestions: readonly ItemSummary[]): Block[] {
  if (suggestions.length === 0) return [];
  const entries = suggestions.map((item) => ({
    line: [itemAnchor(item)],
    note: item.summary === "" ? [] : [item.summary],
  }));
  return [
    { kind: "paragraph", line: ["Did you mean:"] },
    { kind: "entries", entries },
  ];
}

/** Starting points for finding anything on the site. */
function recoveryEntries(reading: ReadingCopy): Entry[] {
  return [
    { line: [{ text: "llms.txt", to: "/llms.txt" }], note: ["Guide and index of the site."] },
    { line: [{ text: "Sitemap", to: "/sitemap.xml" }], note: ["Every page."] },
    { line: [{ text: "Home page", to: "/" }], note: [] },
    { line: [{ text: "Search", to: "/search" }], note: [] },
    ...sectionsOf(reading).map(({ type, listPath }) => ({
      line: [{ text: type.plural, to: listPath }],
      note: [],
    })),
  ];
}

/** Printable, on one line and of limited length. */
function shownPath(path: string): string {
  const printable = path.replaceAll(/[\p{C}\p{Z}`<>]/gu, "�");
  const characters = [...printable];
  if (characters.length <= PATH_CHARACTERS_MAX) return printable;
  return `${characters.slice(0, PATH_CHARACTERS_MAX - 1).join("")}…`;
}
