import type { ItemSummary } from "../library.ts";

/** White space that becomes a single space when a title is made from the first words of a text. */
const UNCOLLAPSED_SPACE = /[^\S ]| {2}/;

/** Whether a title consists of the first words of the text, as generated titles do. */
export function isTitleStartOfText({ title, text }: Pick<ItemSummary, "title" | "text">): boolean {
  const start = title.replace(/(?:…|\.\.\.)$/u, "").trimEnd();
  if (text.startsWith(start)) return true;
  const beginning = text.slice(0, 2 * title.length);
  return UNCOLLAPSED_SPACE.test(beginning) && beginning.replaceAll(/\s+/g, " ").startsWith(start);
}
