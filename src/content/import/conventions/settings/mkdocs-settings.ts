import { parseYamlMapping } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { languageTagFromName } from "../language-in-name.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { createExclusionMatcher } from "./exclusion-filter.ts";
import { createGitignoreMatcher, createRegexMatcher } from "./globs.ts";

/** The settings file of MkDocs; null if there is none. */
export function readMkdocsSettingsFile(
  read: ReadSettingsFile,
): { file: string; text: string } | null {
  for (const file of ["mkdocs.yml", "mkdocs.yaml"]) {
    const text = read(file);
    if (text !== null) return { file, text: withDefaults(text) };
  }
  return null;
}

/**
 * Replaces references to environment variables, which are unknown here, with their defaults: `!ENV
 * [NAME, "a"]` → `"a"`.
 */
function withDefaults(text: string): string {
  return text.replaceAll(
    /!ENV[ \t]{0,9}\[[^\]\n,]{0,200},([^\]\n]{0,500},)?([^\]\n,]{0,500})\]/g,
    "$2",
  );
}

/** The folder of MkDocs' texts, from the setting `docs_dir`. */
export function parseMkdocsContentFolder(raw: unknown): string {
  const folder = typeof raw === "string" ? raw.replace(/^\.?\/|\/+$/g, "") : "";
  return folder === "" ? "docs" : folder;
}

export function readMkdocsSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const { values } = parseYamlMapping(readMkdocsSettingsFile(read)?.text ?? "", 0);
  const { custom_dir: theme, language } = isRecord(values["theme"])
    ? values["theme"]
    : { custom_dir: undefined, language: undefined };
  const tag = typeof language === "string" ? languageTagFromName(language) : null;
  const folder = parseMkdocsContentFolder(values["docs_dir"]);
  // MkDocs excludes this folder by default; lines in the settings may include it again.
  const isExcluded = createGitignoreMatcher(["/templates/", ...linesIn(values["exclude_docs"])]);
  const isDraft = createGitignoreMatcher(linesIn(values["draft_docs"]));
  const isExcludedByPlugin = exclusionsOfPlugin(values["plugins"]);
  const pathIn = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : "";
  return {
    ...(tag === null ? {} : { mainLanguage: tag }),
    contentFolders: { [folder]: "" },
    isExcluded: (file) => isExcluded(pathIn(file)) || isExcludedByPlugin(pathIn(file)),
    defaultsOf: (file) => (isDraft(pathIn(file)) ? { draft: true } : {}),
    // MkDocs also serves the files of a custom theme from the root of the site.
    ...(typeof theme === "string" ? { fileFolders: [theme.replace(/^\.?\/|\/+$/g, "")] } : {}),
  };
}

function linesIn(value: unknown): string[] {
  return typeof value === "string" ? value.split("\n") : [];
}

/** Reads the exclusions of the plugin mkdocs-exclude. In its globs, `*` also matches slashes. */
function exclusionsOfPlugin(plugins: unknown): (path: string) => boolean {
  const listed = Array.isArray(plugins) ? plugins : [plugins];
  const options = listed.flatMap((each) =>
    isRecord(each) && isRecord(each["exclude"]) ? [each["exclude"]] : [],
  );
  const textsAt = (key: string) =>
    options.flatMap((each) => [each[key] ?? []].flat()).filter((each) => typeof each === "string");
  const isByGlob = createExclusionMatcher(textsAt("glob"));
  const isByExpression = createRegexMatcher(textsAt("regex"));
  return (path) => isByGlob(path) || isByExpression(path);
}
