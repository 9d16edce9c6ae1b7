import { baseLanguage } from "../../../search/language/languages.ts";
import type { GeneratorChoice } from "../../site/import-choices/generator-choices.ts";
import { isHtmlFile } from "../file-path.ts";
import { NO_REPEATED_PARTS, type RepeatedParts } from "../html/repeated-parts.ts";
import type { PostImportOptions } from "../posts/post-files.ts";
import { formerAddressOfFile } from "./addresses/file-address.ts";
import {
  findFoldersWithIndex,
  renameReadmeToIndex,
  sitePathOfFile,
} from "./addresses/site-paths.ts";
import { createFileFinder, type FileFinder } from "./file-finder.ts";
import { detectLanguageLayout, type LanguageLayout } from "./file-languages.ts";
import { NO_MENUS, type ParsedMenus } from "./menus/foreign-menu.ts";
import type { WeightedEntry } from "./menus/weighted-entries.ts";
import type { MarkerFile, ReadSettingsFile, SiteGenerator } from "./site-generator.ts";
import {
  resolveGeneratorChoice,
  SITE_GENERATORS,
  UNKNOWN_HTML_GENERATOR,
  UNKNOWN_MARKDOWN_GENERATOR,
  USUAL_GENERATOR_FOLDERS,
} from "./site-generators.ts";
import { createSiblingPictureFinder } from "./tags/named-files.ts";
import { type DeclaredTerms, readDeclaredTerms } from "./terms/declared-terms.ts";
import { detectTextLanguage } from "./text-language.ts";

export interface FolderConventions {
  generator: SiteGenerator;
  languages: LanguageLayout;
  /** A file's path on the site, including its language; null: the file is not content. */
  sitePathOf: (file: string) => string | null;
  /**
   * Returns a file's path in the site generator's own folder, which may be a subfolder of the imported
   * folder.
   */
  fileIn: (file: string) => string;
  terms: DeclaredTerms;
  /** The options for importing posts; null: posts are imported as pages. */
  posts: PostImportOptions | null;
  /** IANA name of the site's time zone. */
  timeZone: string;
  /** Reads the navigation from the settings and from the menu entries of pages. */
  menusOf: (pages: readonly WeightedEntry[]) => ParsedMenus;
  fileNamed: FileFinder;
  /** Finds the picture next to a file; `name` has no extension. */
  pictureBeside: (file: string, name: string) => string | undefined;
  /** The text of a partial template that pages can include; null: there is none. */
  partNamed: (name: string) => string | null;
  hasFile: (path: string) => boolean;
  /** The address of a file on the former site, such as `/plan.pdf`; null: the file had no address. */
  addressOfFile: (file: string) => string | null;
  /** The files to which a site address or a path in a text could refer, the most likely first. */
  filesAt: (path: string) => readonly string[];
  /** Parts that the HTML pages near a file share, such as menus and footers. */
  repeatedNear: (file: string) => RepeatedParts;
}

/** The files and settings of a folder from which {@link detectConventions} detects its conventions. */
export interface FolderSummary {
  /** Names in a folder, including hidden files; empty if there is no such folder. */
  namesIn: (folder: string) => readonly string[];
  /** All files, relative to the folder. */
  files: readonly string[];
  /** The text files among `files`. */
  texts: readonly string[];
  /** The language of texts that specify none. */
  language: string;
  timeZone: string;
  /** The site generator that a person chose; undefined: it is detected. */
  generator: GeneratorChoice | undefined;
  textOf(file: string): string;
  /** Called between files to yield to the event loop. */
  yieldBetween(): Promise<void>;
  /** Reads all texts, which takes a long time in large folders. */
  scanTexts(): Promise<TextFeatures>;
}

/** Features found in the texts of a folder. */
interface TextFeatures {
  /** Keys that occur in front matter. */
  keys: ReadonlySet<string>;
  hasShortcode: boolean;
  hasWikiLink: boolean;
  /** Whether at least one text starts with neither front matter nor a heading. */
  hasUntitled: boolean;
}

/** Front matter keys of Jekyll. They identify Jekyll folders whose settings are missing. */
const JEKYLL_KEYS: ReadonlySet<string> = new Set(["layout", "redirect_from", "redirect_to"]);
/** Front matter keys that occur only in files written for other software. */
const FOREIGN_KEYS: ReadonlySet<string> = new Set([
  ..."author categories category cssclass cssclasses created id lastmod modified order".split(" "),
  ..."publish sidebar sidebar_label sidebar_position tags template toc updated weight".split(" "),
]);
export const HUGO_SHORTCODE = /\{\{[<%] *\/? *[\w-]+/;
/** A heading at the start of a text, in either syntax of Markdown. */
export const FIRST_HEADING = /^\s*(?:#{1,6}[ \t]|[^\n]{1,300}\n(?:=+|-+)[ \t]*(?:\n|$))/;
export const WIKI_LINK = /\[\[[^[\]\n]{1,300}\]\]/;

interface FoundGenerator {
  generator: SiteGenerator;
  /**
   * The folder with the settings, ending with a slash; empty: the imported folder itself.
   */
  base: string;
}

/**
 * Detects which site generator a folder was written for, by the folder's settings or else by its texts. A
 * generator chosen by a person takes precedence. Null: the folder was written for this service, or by hand.
 */
export async function detectConventions(summary: FolderSummary): Promise<FolderConventions | null> {
  const found = await findGenerator(summary);
  if (found === null) return null;
  const { base } = found;
  const configured = {
    ...found.generator,
    ...found.generator.settings?.(settingsIn(base, summary), filesBelow(base, summary.files)),
  };
  const fileIn = (file: string) => (file.startsWith(base) ? file.slice(base.length) : `../${file}`);
  const isContent = (file: string) => sitePathOfFile(fileIn(file), configured) !== null;
  const mainLanguage = configured.mainLanguage ?? languageOfSample(summary, isContent);
  const generator = mainLanguage === undefined ? configured : { ...configured, mainLanguage };
  const placed: string[] = [];
  for (const file of summary.texts) {
    await summary.yieldBetween();
    placed.push(...[sitePathOfFile(fileIn(file), generator) ?? []].flat());
  }
  const indexed = findFoldersWithIndex(placed);
  const sitePathOf = (file: string) => {
    const place = sitePathOfFile(fileIn(file), generator);
    return place === null ? null : renameReadmeToIndex(place, indexed, generator);
  };
  const places = placed.map((place) => renameReadmeToIndex(place, indexed, generator));
  const folders = Object.entries(generator.contentFolders);
  const known = new Set(summary.files);
  const languages = detectLanguageLayout(places, mainLanguage ?? summary.language, generator);
  return {
    ...{ generator, sitePathOf, fileIn, languages, posts: null, timeZone: summary.timeZone },
    menusOf: (pages) =>
      generator.menus?.(settingsIn(base, summary), { pages, main: languages.main }) ?? NO_MENUS,
    terms: await readDeclaredTerms(summary),
    fileNamed: createFileFinder(summary.files),
    pictureBeside: createSiblingPictureFinder(summary.files),
    partNamed: (name) => partIn(name, generator, settingsIn(base, summary)),
    hasFile: (path) => known.has(path),
    addressOfFile: (file) => formerAddressOfFile(fileIn(file), generator, languages),
    repeatedNear: () => NO_REPEATED_PARTS,
    filesAt: (path) => [
      base + path,
      ...folders.flatMap(([folder, at]) => {
        const start = at === "" ? "" : `${at}/`;
        if (!path.startsWith(start)) return [];
        return ["", languages.mainLanguageFolder].map((inner) =>
          pathFrom(base, `${folder}/${inner}${path.slice(start.length)}`),
        );
      }),
      ...(generator.fileFolders ?? []).map((folder) => `${base}${folder}/${path}`),
      path,
    ],
  };
}

async function findGenerator(summary: FolderSummary): Promise<FoundGenerator | null> {
  if (summary.generator === undefined) {
    return (
      detectBySettings(summary, SITE_GENERATORS) ??
      detectByTexts(summary, await summary.scanTexts())
    );
  }
  const generator = resolveGeneratorChoice(summary.generator);
  if (generator === null) return null;
  return detectBySettings(summary, [generator]) ?? { generator, base: "" };
}

const SAMPLED_TEXTS_MAX = 40;
const SAMPLED_CHARACTERS_MAX = 8000;
const LANGUAGE_IN_PATH = /(?:^|[/.])[a-z]{2}(?:[-_][a-z]{2,4})?[/.]/i;
const STATED_LANGUAGE = /^(?:lang|language|locale)\s*[:=]|<html[^>]*\slang=/im;

/**
 * Detects, from a sample, the language of the texts that state none. Undefined: the language is unclear, or
 * it is the site's language.
 */
function languageOfSample(
  { texts, textOf, language }: FolderSummary,
  isContent: (file: string) => boolean,
): string | undefined {
  const candidates = texts.filter(
    (file) => !LANGUAGE_IN_PATH.test(file.replace(/\w+$/, "")) && isContent(file),
  );
  const step = Math.max(1, Math.ceil(candidates.length / SAMPLED_TEXTS_MAX));
  const sample = candidates
    .filter((_, at) => at % step === 0)
    .map((file) => textOf(file).slice(0, SAMPLED_CHARACTERS_MAX))
    .filter((text) => !STATED_LANGUAGE.test(text));
  const found = detectTextLanguage(sample);
  return found === null || found === baseLanguage(language) ? undefined : found;
}

/** Reads a partial template, such as `note.html`, from the folder `_includes` of Jekyll and Eleventy. */
function partIn(
  name: string,
  { contentFolders }: SiteGenerator,
  read: ReadSettingsFile,
): string | null {
  if (!/^[\w-]+(?:\/[\w-]+)*\.\w+$/.test(name)) return null;
  const folders = ["", ...Object.keys(contentFolders).map((folder) => `${folder}/`)];
  const parts = folders.map((folder) => read(`${folder}_includes/${name}`));
  return parts.find((part) => part !== null) ?? null;
}

function filesBelow(base: string, files: readonly string[]): readonly string[] {
  return base === ""
    ? files
    : files.filter((file) => file.startsWith(base)).map((file) => file.slice(base.length));
}

function pathFrom(base: string, path: string): string {
  return path.startsWith("../") ? path.slice(3) : base + path;
}

/**
 * Looks for settings files in the folder itself, then in the folders where repositories usually keep their
 * sites, then in the top-level folder with more than half of the texts.
 */
function detectBySettings(
  summary: FolderSummary,
  generators: readonly SiteGenerator[],
): FoundGenerator | null {
  const folders = [...USUAL_GENERATOR_FOLDERS, ...folderOfMost(summary.texts)];
  for (const base of ["", ...folders.map((folder) => `${folder}/`)]) {
    const names = summary.namesIn(base);
    if (names.length === 0) continue;
    const isFound = ({ name, contains, beside }: MarkerFile) =>
      names.some(
        (each) =>
          name.test(each) && (contains?.test(settingsIn(base, summary)(each) ?? "") ?? true),
      ) &&
      (beside === undefined || names.some((each) => beside.test(each)));
    const generator = generators.find(({ markerFiles }) => markerFiles.some(isFound));
    if (generator !== undefined) return { generator, base };
  }
  return null;
}

function folderOfMost(texts: readonly string[]): string[] {
  const byFolder = Map.groupBy(texts, (file) => /^([^/]+)\//.exec(file)?.[1] ?? "");
  const [most] = [...byFolder].filter(([, some]) => some.length > texts.length / 2);
  return most === undefined || most[0] === "" ? [] : [most[0]];
}

function settingsIn(base: string, { namesIn, textOf }: FolderSummary) {
  return (name: string): string | null => {
    const folder = base + name.slice(0, name.lastIndexOf("/") + 1);
    const exists = namesIn(folder).includes(name.slice(name.lastIndexOf("/") + 1));
    return exists ? textOf(base + name) : null;
  };
}

function detectByTexts(
  { namesIn, texts }: FolderSummary,
  { keys, hasShortcode, hasWikiLink, hasUntitled }: TextFeatures,
): FoundGenerator | null {
  const generatorNamed = (name: string) =>
    SITE_GENERATORS.find((generator) => generator.name === name) ?? UNKNOWN_MARKDOWN_GENERATOR;
  const inTopFolder = (generator: SiteGenerator): FoundGenerator => ({ generator, base: "" });
  if (hasShortcode && namesIn("").includes("content")) return inTopFolder(generatorNamed("Hugo"));
  const hasAnyOf = (known: ReadonlySet<string>) => [...known].some((key) => keys.has(key));
  if (hasAnyOf(JEKYLL_KEYS)) return inTopFolder(withoutSettings(generatorNamed("Jekyll")));
  if (texts.some(isHtmlFile)) return inTopFolder(UNKNOWN_HTML_GENERATOR);
  if (hasWikiLink) return inTopFolder(generatorNamed("Obsidian"));
  // Texts for this service have a title. Texts with neither front matter nor a heading were therefore
  // written for other software.
  const isPlain = keys.size === 0 && hasUntitled;
  return isPlain || hasAnyOf(FOREIGN_KEYS) ? inTopFolder(UNKNOWN_MARKDOWN_GENERATOR) : null;
}

/** Drops the function `settings`, which would exclude all collections when there is no settings file. */
function withoutSettings({ settings: _none, ...generator }: SiteGenerator): SiteGenerator {
  return generator;
}
