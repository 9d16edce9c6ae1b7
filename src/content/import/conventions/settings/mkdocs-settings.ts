import { readYaml } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { languageTag } from "../file-languages.ts";
import type { ReadSettings, SiteGenerator } from "../site-generator.ts";
import { ignoredByLines, matchesExpression } from "./globs.ts";
import { exclusionFilter } from "./left-out.ts";

/** The settings file of MkDocs; null if there is none. */
export function mkdocsFile(read: ReadSettings): { file: string; text: string } | null {
  for (const file of ["mkdocs.yml", "mkdocs.yaml"]) {
    const text = read(file);
    if (text !== null) return { file, text: withDefaults(text) };
  }
  return null;
}

/** Replaces environment variables, which are unknown here, with defaults: `!ENV [NAME, "a"]`. */
function withDefaults(text: string): string {
  return text.replaceAll(
    /!ENV[ \t]{0,9}\[[^\]\n,]{0,200},([^\]\n]{0,500},)?([^\]\n,]{0,500})\]/g,
    "$2",
  );
}

/** The folder in which MkDocs keeps its texts, from `docs_dir`. */
export function mkdocsFolder(raw: unknown): string {
  const folder = typeof raw === "string" ? raw.replace(/^\.?\/|\/+$/g, "") : "";
  return folder === "" ? "docs" : folder;
}

export function mkdocsSettings(read: ReadSettings): Partial<SiteGenerator> {
  const { values } = readYaml(mkdocsFile(read)?.text ?? "", 0);
  const { custom_dir: theme, language } = isRecord(values["theme"])
    ? values["theme"]
    : { custom_dir: undefined, language: undefined };
  const tag = typeof language === "string" ? languageTag(language) : null;
  const folder = mkdocsFolder(values["docs_dir"]);
  // MkDocs always begins with this line, which others may revoke.
  const isExcluded = ignoredByLines(["/templates/", ...linesIn(values["exclude_docs"])]);
  const isDraft = ignoredByLines(linesIn(values["draft_docs"]));
  const isExcludedByPlugin = exclusionsOfPlugin(values["plugins"]);
  const pathIn = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : "";
  return {
    ...(tag === null ? {} : { mainLanguage: tag }),
    contentFolders: { [folder]: "" },
    leavesOut: (file) => isExcluded(pathIn(file)) || isExcludedByPlugin(pathIn(file)),
    defaultsOf: (file) => (isDraft(pathIn(file)) ? { draft: true } : {}),
    // MkDocs also serves the files of a custom theme from the root of the site.
    ...(typeof theme === "string" ? { fileFolders: [theme.replace(/^\.?\/|\/+$/g, "")] } : {}),
  };
}

function linesIn(value: unknown): string[] {
  return typeof value === "string" ? value.split("\n") : [];
}

/** The plugin mkdocs-exclude, whose globs match any characters with `*`, slashes too. */
function exclusionsOfPlugin(plugins: unknown): (path: string) => boolean {
  const listed = Array.isArray(plugins) ? plugins : [plugins];
  const options = listed.flatMap((each) =>
    isRecord(each) && isRecord(each["exclude"]) ? [each["exclude"]] : [],
  );
  const textsAt = (key: string) =>
    options.flatMap((each) => [each[key] ?? []].flat()).filter((each) => typeof each === "string");
  const isByGlob = exclusionFilter(textsAt("glob"));
  const isByExpression = matchesExpression(textsAt("regex"));
  return (path) => isByGlob(path) || isByExpression(path);
}
