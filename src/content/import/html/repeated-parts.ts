import type { Root } from "hast";
import { iterateElements, oneLineTextOf } from "./html-tree.ts";
import { type PagePart, PagePartFinder } from "./page-parts.ts";

/** Parts that repeat on the pages of a site: menus, headers, footers. */
export interface RepeatedParts {
  keys: readonly string[];
  /** Beginnings and ends that most titles share, such as ` | The Society`. */
  titleEnds: readonly string[];
}

/** The parts and the title of a page, which other pages possibly repeat. */
export interface PagePartsAndTitle {
  parts: readonly { key: string; isMenu: boolean }[];
  title: string;
}

/** A part must occur on at least this many pages to count as repeated. */
const PAGES_MIN = 3;
const SHARE_MIN = 0.5;
/**
 * A menu counts as repeated if at least this share of the pages has it. The share is lower than for other
 * parts, because each section of a site may have its own menus.
 */
const MENU_SHARE_MIN = 0.1;
/**
 * Maximum number of words in a repeated part that is not a menu. Longer texts are content, even if several
 * pages have them.
 */
const WORDS_MAX = 100;

/** The repeated parts of a page that is read without other pages: none. */
export const NO_REPEATED_PARTS: RepeatedParts = { keys: [], titleEnds: [] };

export function pagePartsAndTitleOf(tree: Root): PagePartsAndTitle {
  const parts = new PagePartFinder();
  const found = new Map<string, boolean>();
  for (const part of parts.all(tree)) {
    if (isMenu(part) || part.words <= WORDS_MAX) found.set(part.key, isMenu(part));
  }
  const title = [...iterateElements(tree)].find(({ tagName }) => tagName === "title");
  return {
    parts: [...found].map(([key, isMenu]) => ({ key, isMenu })),
    title: title === undefined ? "" : oneLineTextOf(title),
  };
}

/** Whether a part is mostly links. */
export function isMenu({ links, linkWords, words, text }: PagePart): boolean {
  return text !== "" && links > 1 && linkWords >= words / 2;
}

/** Finds the parts that occur on at least half of the pages or, in the case of menus, a tenth. */
export function findRepeatedParts(profiles: readonly PagePartsAndTitle[]): RepeatedParts {
  const counts = new Map<string, { count: number; isMenu: boolean }>();
  for (const { parts } of profiles) {
    for (const { key, isMenu } of parts) {
      const entry = counts.get(key) ?? { count: 0, isMenu };
      entry.count += 1;
      counts.set(key, entry);
    }
  }
  const isRepeated = (count: number, share: number) =>
    count >= Math.max(PAGES_MIN, share * profiles.length);
  const keys = [...counts].flatMap(([key, { count, isMenu }]) =>
    isRepeated(count, isMenu ? MENU_SHARE_MIN : SHARE_MIN) ? [key] : [],
  );
  const ends = new Map<string, number>();
  for (const { title } of profiles) {
    for (const end of endsOf(title)) ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  const titleEnds = [...ends].flatMap(([end, count]) =>
    isRepeated(count, SHARE_MIN) ? [end] : [],
  );
  return { keys, titleEnds: titleEnds.sort((a, b) => b.length - a.length) };
}

const SEPARATOR = /\s*(?::|\||–|—|·|»|-{1,2})\s+/g;

/** The beginnings and ends of a title at its separators: `Top: ` and `: Site`. */
function endsOf(title: string): string[] {
  return [...title.matchAll(SEPARATOR)].flatMap(({ 0: separator, index }) => [
    title.slice(0, index + separator.length),
    title.slice(index),
  ]);
}

/** A page's title without the beginning and end that most titles share. */
export function removeRepeatedTitleEnds(title: string, { titleEnds }: RepeatedParts): string {
  const end = titleEnds.find((each) => each !== title && title.endsWith(each)) ?? "";
  const rest = title.slice(0, title.length - end.length);
  const start = titleEnds.find((each) => each !== rest && rest.startsWith(each)) ?? "";
  return rest.slice(start.length).trim();
}
