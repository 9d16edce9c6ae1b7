import { parseToml } from "../../toml.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { createGlobMatcher } from "./globs.ts";
import { frontMatterOfSections } from "./section-defaults.ts";

/** Reads which files Zola ignores, and which sections are drafts. Pages below a draft section are hidden. */
export function readZolaSettings(
  read: ReadSettingsFile,
  files: readonly string[],
): Partial<SiteGenerator> {
  const settings = parseToml(read("zola.toml") ?? read("config.toml") ?? "");
  const ignored = "values" in settings ? [settings.values["ignored_content"] ?? []].flat() : [];
  // In Zola, `*` also matches slashes.
  const globs = ignored.map((glob) => `**/${String(glob).replaceAll(/\*+/g, "**")}`);
  const drafts = frontMatterOfSections(read, files).filter(
    ({ values }) => values["draft"] === true,
  );
  return {
    isExcluded: createGlobMatcher(globs),
    defaultsOf: (file) =>
      drafts.some(({ folder }) => file.startsWith(folder)) ? { draft: true } : {},
  };
}
