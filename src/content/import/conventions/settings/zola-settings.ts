import { readToml } from "../../toml.ts";
import type { ReadSettings, SiteGenerator } from "../site-generator.ts";
import { globMatcher } from "./globs.ts";
import { frontMatterOfSections } from "./section-defaults.ts";

/** Reads which files Zola ignores, and which sections are drafts. Pages below a draft section are hidden. */
export function zolaSettings(read: ReadSettings, files: readonly string[]): Partial<SiteGenerator> {
  const settings = readToml(read("zola.toml") ?? read("config.toml") ?? "");
  const ignored = "values" in settings ? [settings.values["ignored_content"] ?? []].flat() : [];
  // In Zola, `*` also matches slashes.
  const globs = ignored.map((glob) => `**/${String(glob).replaceAll(/\*+/g, "**")}`);
  const drafts = frontMatterOfSections(read, files).filter(
    ({ values }) => values["draft"] === true,
  );
  return {
    isExcluded: globMatcher(globs),
    defaultsOf: (file) =>
      drafts.some(({ folder }) => file.startsWith(folder)) ? { draft: true } : {},
  };
}
