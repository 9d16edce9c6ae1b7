import { isHtmlFile } from "../file-path.ts";
import type { PostChoice } from "../posts/post-files.ts";
import { type FileLanguages, languagesOf } from "./file-languages.ts";
import { NO_MENUS, type ReadMenus } from "./menus/foreign-menu.ts";
import type { WeightedEntry } from "./menus/weighted-entries.ts";
import { foldersWithIndex, placeBelow, withReadmePages } from "./placing.ts";
import type { Mark, Program } from "./program.ts";
import { MARKDOWN, PAGES, PROGRAMS, SITE_FOLDERS } from "./programs.ts";
import { picturesBeside } from "./tags/named-files.ts";
import { type KnownTerms, knownTerms } from "./terms/known-terms.ts";
import { filesByName } from "./wiki-links.ts";

export interface FolderConventions {
  program: Program;
  languages: FileLanguages;
  /** A file's path on the site, including its language; null: not content. */
  placeOf: (file: string) => string | null;
  /**
   * The file's path relative to the folder of the site generator, which may be part of a
   * repository.
   */
  fileIn: (file: string) => string;
  terms: KnownTerms;
  /** How posts are imported; null: as pages. */
  posts: PostChoice | null;
  /** IANA name of the site's time zone. */
  timeZone: string;
  /** The navigation from the settings and from these menu entries of pages. */
  menusOf: (pages: readonly WeightedEntry[]) => ReadMenus;
  /** Resolves links by name. */
  fileNamed: (name: string) => string | undefined;
  /** The picture in the folder of a file that has a name without its extension. */
  pictureBeside: (file: string, name: string) => string | undefined;
  hasFile: (path: string) => boolean;
  /** Files that an address of the site, or a path in its content, may refer to, most likely first. */
  filesAt: (path: string) => readonly string[];
}

/** Facts about a folder, from which its conventions are detected. */
export interface FolderSummary {
  /** Names in a folder, hidden ones included; empty if there is no such folder. */
  namesIn: (folder: string) => readonly string[];
  /** All files, relative to the folder. */
  files: readonly string[];
  /** The files that are texts. */
  texts: readonly string[];
  /** The language of texts that specify none. */
  language: string;
  timeZone: string;
  textOf(file: string): string;
  /** Yields to other work. */
  turn(): Promise<void>;
  /** Reads all texts, which takes long in large folders. */
  scanTexts(): Promise<TextFeatures>;
}

/** Features found in the texts of a folder. */
interface TextFeatures {
  /** Keys that occur in front matter. */
  keys: ReadonlySet<string>;
  hasShortcode: boolean;
  hasWikiLink: boolean;
}

/** Keys that only Jekyll pages have, to detect folders without its settings. */
const JEKYLL_KEYS: ReadonlySet<string> = new Set(["layout", "redirect_from", "redirect_to"]);
/** Keys that no file written for this service has. */
const FOREIGN_KEYS: ReadonlySet<string> = new Set([
  ..."author categories category cssclass cssclasses created id lastmod modified order".split(" "),
  ..."publish sidebar sidebar_label sidebar_position tags template toc updated weight".split(" "),
]);
export const HUGO_SHORTCODE = /\{\{[<%] *\/? *[\w-]+/;
export const WIKI_LINK = /\[\[[^[\]\n]{1,300}\]\]/;

interface FoundProgram {
  program: Program;
  /**
   * The folder with the program's settings, ending with a slash; empty: the imported folder itself.
   */
  base: string;
}

/**
 * Detects the program that a folder was written for, by its settings or else by its texts. Null: a
 * folder written for this service, or by hand.
 */
export async function detectConventions(summary: FolderSummary): Promise<FolderConventions | null> {
  const found = detectBySettings(summary) ?? detectByTexts(summary, await summary.scanTexts());
  if (found === null) return null;
  const { base } = found;
  const program = {
    ...found.program,
    ...found.program.settings?.(settingsIn(base, summary), filesBelow(base, summary.files)),
  };
  const fileIn = (file: string) => (file.startsWith(base) ? file.slice(base.length) : `../${file}`);
  const placed: string[] = [];
  for (const file of summary.texts) {
    await summary.turn();
    placed.push(...[placeBelow(fileIn(file), program) ?? []].flat());
  }
  const indexed = foldersWithIndex(placed);
  const placeOf = (file: string) => {
    const place = placeBelow(fileIn(file), program);
    return place === null ? null : withReadmePages(place, indexed, program);
  };
  const places = placed.map((place) => withReadmePages(place, indexed, program));
  const folders = Object.entries(program.contentFolders);
  const known = new Set(summary.files);
  const languages = languagesOf(places, program.mainLanguage ?? summary.language, program);
  return {
    ...{ program, placeOf, fileIn, languages, posts: null, timeZone: summary.timeZone },
    menusOf: (pages) =>
      program.menus?.(settingsIn(base, summary), { pages, main: languages.main }) ?? NO_MENUS,
    terms: await knownTerms(summary),
    fileNamed: filesByName(summary.files),
    pictureBeside: picturesBeside(summary.files),
    hasFile: (path) => known.has(path),
    filesAt: (path) => [
      base + path,
      ...folders.flatMap(([folder, at]) => {
        const start = at === "" ? "" : `${at}/`;
        return path.startsWith(start) ? [below(base, `${folder}/${path.slice(start.length)}`)] : [];
      }),
      ...(program.fileFolders ?? []).map((folder) => `${base}${folder}/${path}`),
      path,
    ],
  };
}

function filesBelow(base: string, files: readonly string[]): readonly string[] {
  return base === ""
    ? files
    : files.filter((file) => file.startsWith(base)).map((file) => file.slice(base.length));
}

function below(base: string, path: string): string {
  return path.startsWith("../") ? path.slice(3) : base + path;
}

/** Detects the program by its settings, in the folder or where repositories keep their sites. */
function detectBySettings(summary: FolderSummary): FoundProgram | null {
  for (const base of ["", ...SITE_FOLDERS.map((folder) => `${folder}/`)]) {
    const names = summary.namesIn(base);
    if (names.length === 0) continue;
    const isMark = ({ name, says, with: other }: Mark) =>
      names.some(
        (each) => name.test(each) && (says?.test(settingsIn(base, summary)(each) ?? "") ?? true),
      ) &&
      (other === undefined || names.some((each) => other.test(each)));
    const program = PROGRAMS.find(({ marks }) => marks.some(isMark));
    if (program !== undefined) return { program, base };
  }
  return null;
}

function settingsIn(base: string, { namesIn, textOf }: FolderSummary) {
  return (name: string): string | null => {
    const folder = base + name.slice(0, name.lastIndexOf("/") + 1);
    const isThere = namesIn(folder).includes(name.slice(name.lastIndexOf("/") + 1));
    return isThere ? textOf(base + name) : null;
  };
}

/** Detects the program by its texts. */
function detectByTexts(
  { namesIn, texts }: FolderSummary,
  { keys, hasShortcode, hasWikiLink }: TextFeatures,
): FoundProgram | null {
  const named = (name: string) => PROGRAMS.find((program) => program.name === name) ?? MARKDOWN;
  const found = (program: Program): FoundProgram => ({ program, base: "" });
  if (hasShortcode && namesIn("").includes("content")) return found(named("Hugo"));
  const hasAnyOf = (known: ReadonlySet<string>) => [...known].some((key) => keys.has(key));
  if (hasAnyOf(JEKYLL_KEYS)) return found(withoutFileAddresses(named("Jekyll")));
  if (texts.some(isHtmlFile)) return found(PAGES);
  if (hasWikiLink) return found(named("Obsidian"));
  return hasAnyOf(FOREIGN_KEYS) ? found(MARKDOWN) : null;
}

/** Without settings, the form of the old page addresses is unknown. */
function withoutFileAddresses(program: Program): Program {
  const { hasFileAddresses: _unknown, settings: _none, ...rest } = program;
  return rest;
}
