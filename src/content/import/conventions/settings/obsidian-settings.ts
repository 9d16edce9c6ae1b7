import { readYaml } from "../../front-matter.ts";
import type { ReadSettings, SiteGenerator } from "../site-generator.ts";
import { regexMatcher } from "./globs.ts";

/** Reads the folders, files and regular expressions that Obsidian's settings exclude. */
export function obsidianSettings(read: ReadSettings): Partial<SiteGenerator> {
  // The YAML parser also reads JSON.
  const { values } = readYaml(read(".obsidian/app.json") ?? "", 0);
  const filters = [values["userIgnoreFilters"] ?? []].flat().map(String);
  const expressions = filters.filter((each) => /^\/.+\/$/.test(each));
  const starts = filters.filter((each) => each !== "" && !expressions.includes(each));
  const isMatch = regexMatcher(expressions.map((each) => each.slice(1, -1)));
  return {
    isExcluded: (file) =>
      isMatch(file) || starts.some((start) => file.toLowerCase().startsWith(start.toLowerCase())),
  };
}
