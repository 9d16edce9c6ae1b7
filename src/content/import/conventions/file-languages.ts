import { baseLanguage } from "../../../search/language/languages.ts";
import { languageTagFromName } from "./language-in-name.ts";
import type { SiteGenerator } from "./site-generator.ts";

/** The language and the paths of a file of a multilingual site. */
export interface FileWithLanguage {
  /** BCP 47 tag; null: the site's language. */
  language: string | null;
  /** The file's path below the content folder. */
  contentPath: string;
  /** The file's path on the site, with its extension. */
  sitePath: string;
  /**
   * The language folder at the start of `sitePath`, with a trailing slash; empty if there is none.
   */
  prefix: string;
  /** Path, below the content folder, of the original that this file translates; null: none. */
  original: string | null;
}

export interface LanguageLayout {
  /** The language of original pages, as opposed to translations. */
  main: string;
  /** The folder of the main language, with a trailing slash; empty: there is none. */
  mainLanguageFolder: string;
  of(contentPath: string): FileWithLanguage;
  /** The main language's counterpart of a path in another language; null: there is none. */
  fallbackOf(path: string): string | null;
}

const LANGUAGE_SUFFIX = /\.([a-z]{2,3}(?:-[a-z0-9]{2,8})*)(\.(?:mdx?|markdown|x?html|htm|njk))$/i;
const TEXT_EXTENSION = /\.(?:mdx?|markdown|x?html|htm|njk)$/i;

/**
 * Detects how the files of a folder name their language: by a folder for each language
 * (`de/about.md`) or by a suffix (`about.de.md`).
 *
 * @param files paths of all files.
 * @param defaultLanguage the language of texts that specify none.
 */
export function detectLanguageLayout(
  files: readonly string[],
  defaultLanguage: string,
  {
    dropsMainLanguage,
    languageNames = [],
  }: Pick<SiteGenerator, "dropsMainLanguage" | "languageNames">,
): LanguageLayout {
  const folders = languageFolders(files, languageNames);
  const suffixes = folders.size > 0 ? new Map<string, string>() : languageSuffixes(files);
  const inner =
    folders.size + suffixes.size > 0 ? new Map<string, string>() : innerLanguageFolders(files);
  const tags = [...new Set([...folders.values(), ...suffixes.values(), ...inner.values()])];
  const isTagged = (file: string) =>
    folders.has(file.split("/")[0] ?? "") || LANGUAGE_SUFFIX.test(file);
  const main = files.every(isTagged) ? mainLanguageOf(tags, defaultLanguage) : defaultLanguage;
  const split = (path: string): SplitPath => {
    const [first = "", ...rest] = path.split("/");
    const byFolder = rest.length > 0 ? folders.get(first) : undefined;
    if (byFolder !== undefined) {
      const isDropped = byFolder === main && dropsMainLanguage === true;
      const pathWithoutLanguage = rest.join("/");
      const prefix = isDropped ? "" : `${first}/`;
      return { tag: byFolder, pathWithoutLanguage, prefix, sitePath: prefix + pathWithoutLanguage };
    }
    const innerSplit = splitInner(path, inner);
    if (innerSplit !== null) return innerSplit;
    const bySuffix = suffixes.get(LANGUAGE_SUFFIX.exec(path)?.[1] ?? "");
    if (bySuffix === undefined)
      return { tag: null, pathWithoutLanguage: path, prefix: "", sitePath: path };
    const prefix = bySuffix === main ? "" : `${bySuffix.toLowerCase()}/`;
    const pathWithoutLanguage = path.replace(LANGUAGE_SUFFIX, "$2");
    return { tag: bySuffix, pathWithoutLanguage, prefix, sitePath: prefix + pathWithoutLanguage };
  };
  const originals = new Map(
    files.flatMap((file) => {
      const { tag, pathWithoutLanguage } = split(file);
      return tag === null || tag === main
        ? [[withoutEnding(pathWithoutLanguage), file] as const]
        : [];
    }),
  );
  const mainFolderName = [...folders].find(([, tag]) => tag === main)?.[0];
  return {
    main,
    mainLanguageFolder: mainFolderName === undefined ? "" : `${mainFolderName}/`,
    fallbackOf(path) {
      const [, first = "", ...rest] = path.split("/");
      if (first === mainFolderName || ![...folders.keys(), ...suffixes.keys()].includes(first))
        return null;
      const isPrefixed = mainFolderName !== undefined && dropsMainLanguage !== true;
      return `/${[...(isPrefixed ? [mainFolderName] : []), ...rest].join("/")}`;
    },
    of(contentPath) {
      const { tag, pathWithoutLanguage, prefix, sitePath } = split(contentPath);
      const isMain = tag === null || tag === main;
      const original = isMain ? null : (originals.get(withoutEnding(pathWithoutLanguage)) ?? null);
      return { language: tag, contentPath, sitePath, prefix, original };
    },
  };
}

/** A path split into its language tag and the path without the tag. */
interface SplitPath extends Pick<FileWithLanguage, "prefix" | "sitePath"> {
  tag: string | null;
  pathWithoutLanguage: string;
}

/** Splits a path such as `articles/de/start.md`; null: its second folder is not a language. */
function splitInner(path: string, inner: ReadonlyMap<string, string>): SplitPath | null {
  const [first = "", second = "", ...below] = path.split("/");
  const tag = below.length > 0 ? inner.get(`${first}/${second}`) : undefined;
  const pathWithoutLanguage = [first, ...below].join("/");
  return tag === undefined ? null : { tag, pathWithoutLanguage, prefix: "", sitePath: path };
}

/**
 * Finds top-level folders named after languages. A single such folder counts only if the settings
 * name it: a folder `it` may be about computers rather than in Italian.
 */
function languageFolders(
  files: readonly string[],
  languageNames: readonly string[],
): Map<string, string> {
  const topFolders = new Set(
    files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]),
  );
  const found = new Map<string, string>();
  for (const name of topFolders) {
    const tag = languageTagFromName(name ?? "");
    if (tag !== null) found.set(name ?? "", tag);
  }
  return found.size >= 2
    ? found
    : new Map([...found].filter(([name]) => languageNames.includes(name)));
}

/**
 * Finds language folders within other folders, such as `articles/de/`. A folder counts only if most of its
 * files have a counterpart in its parent folder or in another language: `guides/it` may be about computers
 * rather than in Italian.
 */
function innerLanguageFolders(files: readonly string[]): Map<string, string> {
  const filesByFolder = new Map<string, string[]>();
  const counterparts = new Map<string, number>();
  for (const file of files) {
    const [first = "", second = "", ...below] = file.split("/");
    const isInner = below.length > 0 && languageTagFromName(second) !== null;
    const pathWithoutLanguage = withoutEnding(isInner ? [first, ...below].join("/") : file);
    counterparts.set(pathWithoutLanguage, (counterparts.get(pathWithoutLanguage) ?? 0) + 1);
    if (!isInner) continue;
    const folder = `${first}/${second}`;
    const siblings = filesByFolder.get(folder);
    if (siblings === undefined) filesByFolder.set(folder, [pathWithoutLanguage]);
    else siblings.push(pathWithoutLanguage);
  }
  return new Map(
    [...filesByFolder].flatMap(([folder, paths]) => {
      const common = paths.filter((each) => (counterparts.get(each) ?? 0) > 1);
      const tag = languageTagFromName(folder.slice(folder.indexOf("/") + 1));
      return tag !== null && common.length * 2 > paths.length ? [[folder, tag] as const] : [];
    }),
  );
}

/**
 * Returns the language tag for each suffix of file names. A suffix counts only if the folder has another file
 * of the same name with another suffix or none.
 */
function languageSuffixes(files: readonly string[]): Map<string, string> {
  const beside = Map.groupBy(files, (file) => file.replace(LANGUAGE_SUFFIX, "$2"));
  const found = new Map<string, string>();
  for (const [, group] of beside) {
    if (group.length < 2) continue;
    for (const file of group) {
      const suffix = LANGUAGE_SUFFIX.exec(file)?.[1] ?? "";
      const tag = languageTagFromName(suffix);
      if (tag !== null) found.set(suffix, tag);
    }
  }
  return found;
}

/**
 * Picks the main language if every file has a tag: if possible the site's language, otherwise English,
 * otherwise the first tag.
 */
function mainLanguageOf(tags: readonly string[], defaultLanguage: string): string {
  const tagOf = (language: string) =>
    tags.find((tag) => baseLanguage(tag) === baseLanguage(language));
  return tagOf(defaultLanguage) ?? tagOf("en") ?? tags[0] ?? defaultLanguage;
}

function withoutEnding(path: string): string {
  return path.replace(TEXT_EXTENSION, "");
}
