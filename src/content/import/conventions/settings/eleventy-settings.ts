import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { readEleventyFrontMatterDefaults } from "./eleventy-data.ts";
import { createExclusionMatcher } from "./exclusion-filter.ts";

const CONFIG_NAMES: readonly string[] = [
  ".eleventy.js",
  "eleventy.config",
  ".eleventy.cjs",
].flatMap((name) =>
  name.endsWith("s")
    ? [name]
    : ["js", "mjs", "cjs", "ts"].map((extension) => `${name}.${extension}`),
);
const INPUT_FOLDER =
  /(?:\binput\s*:|\bsetInputDirectory\()\s*(?:"([^"\n]{0,200})"|'([^'\n]{0,200})'|`([^`\n]{0,200})`)/;

/**
 * Reads Eleventy's data files and settings. The settings are a script that is not run: only the input folder
 * is read.
 */
export function readEleventySettings(
  read: ReadSettingsFile,
  files: readonly string[],
): Partial<SiteGenerator> {
  const settings = CONFIG_NAMES.map((name) => read(name)).find((text) => text !== null) ?? "";
  const [, ...quoted] = INPUT_FOLDER.exec(settings) ?? [];
  const raw = quoted.find((each) => each !== undefined) ?? "";
  const folder = raw.replace(/^(?:\.?\/)+|\/+$/g, "").replace(/^\.$/, "");
  return {
    contentFolders: folder === "" ? {} : { [folder]: "" },
    ...readEleventyFrontMatterDefaults(read, files),
    isExcluded: createExclusionMatcher((read(".eleventyignore") ?? "").split("\n")),
  };
}
