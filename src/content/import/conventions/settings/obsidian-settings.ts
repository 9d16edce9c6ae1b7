import { parseYamlMapping } from "../../front-matter.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { createRegexMatcher } from "./globs.ts";

/** Reads the folders, files and regular expressions that Obsidian's settings exclude. */
export function readObsidianSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  // The YAML parser also reads JSON.
  const { values } = parseYamlMapping(read(".obsidian/app.json") ?? "", 0);
  const filters = [values["userIgnoreFilters"] ?? []].flat().map(String);
  const expressions = filters.filter((each) => /^\/.+\/$/.test(each));
  const starts = filters.filter((each) => each !== "" && !expressions.includes(each));
  const isMatch = createRegexMatcher(expressions.map((each) => each.slice(1, -1)));
  return {
    isExcluded: (file) =>
      isMatch(file) || starts.some((start) => file.toLowerCase().startsWith(start.toLowerCase())),
  };
}
