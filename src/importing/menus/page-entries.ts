import {
  parsePageMenuEntries,
  type WeightedEntry,
} from "../../content/import/conventions/menus/weighted-entries.ts";
import type { MarkdownFileContent } from "../../content/import/parsing/markdown-file-content.ts";

/** The menu entries that the front matter of a page specifies. */
export function menuEntriesFromFrontMatter({
  adapted,
  values,
  file,
  lineOf,
}: MarkdownFileContent): WeightedEntry[] {
  const [key] = Object.keys(adapted?.menu ?? {});
  if (adapted === null || key === undefined) return [];
  const title = typeof values["title"] === "string" ? values["title"] : null;
  const language = adapted.place?.language ?? null;
  return parsePageMenuEntries(adapted.menu, { language, title, file, line: lineOf([key]) });
}
