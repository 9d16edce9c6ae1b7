import { join } from "node:path";
import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import type { WeightedEntry } from "../../content/import/conventions/menus/weighted-entries.ts";
import { FolderTerms } from "../../content/import/conventions/terms/folder-terms.ts";
import { ALIASES_FIELD, type OutlineForNameLookup } from "../../content/import/item-names.ts";
import { type MarkdownFile, parseMarkdownItemInput } from "../../content/import/markdown-file.ts";
import { listTypesLinkedByName } from "../../content/import/named-links.ts";
import type { UndeclaredKeyPolicy } from "../../content/import/parsed-item.ts";
import type { MarkdownFileContent } from "../../content/import/parsing/markdown-file-content.ts";
import type { InputWithPath } from "../../content/import/type-and-path.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { readTextInAnyEncoding } from "../any-encoding.ts";
import { readTextWithinLimits } from "../html/read-text.ts";
import { type ImportFiles, isJsonLinesFile } from "../import-files.ts";
import { menuEntriesFromFrontMatter } from "../menus/page-entries.ts";
import type { FilePublisher } from "../publish-files.ts";
import { FolderPosts } from "./folder-posts.ts";
import { FolderSections, type SectionPage } from "./folder-sections.ts";

export interface ItemReadingOptions {
  types: ContentTypes;
  unknown: UndeclaredKeyPolicy;
  now: Date;
  timeZone: string;
  /** The conventions of a folder; null: those of this service. */
  detectConventions: (source: ImportFiles) => Promise<FolderConventions | null>;
  /** Publishes linked files; if absent, links to files stay unchanged. */
  publisher?: FilePublisher;
  /** The type of the item at an address of the site; null: there is none. */
  typeAt: (path: string) => Promise<string | null>;
  /** Whether an address belongs to a document of the service, such as `/robots.txt`. */
  isDocument?: (path: string) => boolean;
  /** Called with the number of bytes of each chunk that is read. */
  onBytes?: (bytes: number) => void;
  /** Called between files to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
}

/** One source of an import, with what the survey of its Markdown files found. */
export interface SurveyedSource {
  source: ImportFiles;
  conventions: FolderConventions | null;
  survey: FolderSurvey;
  /** Maps the addresses of former lists and feeds to the addresses that replace them. */
  lists: ReadonlyMap<string, string>;
}

/** Surveys the front matter of all Markdown files, so that items can refer to each other. */
export async function surveySources(
  sources: readonly ImportFiles[],
  options: ItemReadingOptions,
): Promise<SurveyedSource[]> {
  const surveyed: SurveyedSource[] = [];
  for (const source of sources) {
    const conventions = await options.detectConventions(source);
    const survey = await surveyFolder(source, conventions, options);
    if (conventions === null || survey.posts.files.size > 0 || survey.posts.lists.size === 0) {
      surveyed.push({ source, conventions, survey, lists: new Map() });
      continue;
    }
    // The folder has lists of posts but no posts. The lists become ordinary pages, so the folder is
    // surveyed again.
    const withoutPosts = { ...conventions, posts: null };
    const again = await surveyFolder(source, withoutPosts, options);
    surveyed.push({ source, conventions: withoutPosts, survey: again, lists: new Map() });
  }
  return surveyed;
}

export interface FolderSurvey {
  /** Menu entries that pages from other site generators specify in their front matter. */
  menuEntries: readonly WeightedEntry[];
  /** The topics and authors that files from other site generators name. */
  terms: FolderTerms;
  posts: FolderPosts;
  /** Generated pages for sections without a page. */
  sections: readonly SectionPage[];
  /** Maps file names to site paths. */
  paths: ReadonlyMap<string, string>;
  /** Maps each site path to the first file that has this path. */
  owners: ReadonlyMap<string, string>;
  /** Maps former addresses to the current paths of pages. */
  former: ReadonlyMap<string, string>;
  /** Maps the file name of a translation to the path of its original. */
  originals: ReadonlyMap<string, string>;
  /**
   * Maps the path of a translation to the address of its original, as stated in the file of the
   * translation.
   */
  statedOriginals: ReadonlyMap<string, string>;
  /**
   * Like `originals`, but for originals whose type differs from the translation's type. Such translations
   * cannot be linked to their originals.
   */
  originalsOfOtherType: ReadonlyMap<string, string>;
  namedOutlines: readonly OutlineForNameLookup[];
  /** Types of items that files refer to by name rather than by address. */
  typesNamed: ReadonlySet<string>;
}

/** Gathers paths, names and posts of a folder's Markdown files, to resolve links between them. */
async function surveyFolder(
  { root, content }: ImportFiles,
  conventions: FolderConventions | null,
  options: ItemReadingOptions,
): Promise<FolderSurvey> {
  const { types, yieldBetween } = options;
  const terms = new FolderTerms();
  const posts = new FolderPosts();
  const sections = new FolderSections();
  const paths = new Map<string, string>();
  const owners = new Map<string, string>();
  /** Maps paths below the content folder to files. */
  const files = new Map<string, string>();
  /** Maps the file of a translation to the path of its original below the content folder. */
  const translated = new Map<string, string>();
  const former = new Map<string, string>();
  const statedOriginals = new Map<string, string>();
  const typesByFile = new Map<string, string>();
  const menuEntries: WeightedEntry[] = [];
  const namedOutlines: OutlineForNameLookup[] = [];
  const typesNamed = new Set<string>();
  for (const file of content.filter((each) => !isJsonLinesFile(each))) {
    await yieldBetween?.();
    const read = readTextInAnyEncoding(join(root, file));
    if (!("text" in read)) continue;
    const { markdown, found } = await readAndParse({ file, text: read.text }, conventions, options);
    posts.addList(markdown, conventions);
    menuEntries.push(...menuEntriesFromFrontMatter(markdown));
    if (found === undefined) continue;
    const { input, isNotPublic } = found;
    posts.add(markdown, conventions, !isNotPublic);
    terms.add(markdown, conventions, !isNotPublic);
    sections.add(markdown, conventions, found);
    const { path, translationOf } = input;
    setIfNew(statedOriginals, path, translationOf);
    for (const type of listTypesLinkedByName(input, types)) typesNamed.add(type);
    paths.set(file, path);
    typesByFile.set(file, input.type);
    setIfNew(owners, path, file);
    for (const address of input.redirectFrom ?? []) setIfNew(former, address, path);
    const { contentPath = file, original = null } = markdown.adapted?.place ?? {};
    files.set(contentPath, file);
    if (original !== null) translated.set(file, original);
    const isTranslation = original !== null || translationOf !== undefined;
    namedOutlines.push(outlineOf(input, isTranslation));
  }
  const { originals, originalsOfOtherType } = originalsIn(translated, {
    files,
    paths,
    typesByFile,
  });
  const sectionPages = sections.pages(isTakenIn({ owners, posts }, options));
  for (const { path, file } of sectionPages) owners.set(path, file);
  const gathered = { terms, posts, sections: sectionPages, menuEntries, namedOutlines, typesNamed };
  const addresses = { paths, owners, former };
  return { ...gathered, ...addresses, originals, statedOriginals, originalsOfOtherType };
}

/** Returns a function that reports whether an address belongs to a page, a list or the service. */
function isTakenIn(
  { owners, posts }: Pick<FolderSurvey, "owners" | "posts">,
  { types, isDocument }: ItemReadingOptions,
): (path: string) => boolean {
  const lists = new Set([...types.values()].map(({ listPath }) => listPath));
  return (path) =>
    owners.has(path) || lists.has(path) || posts.lists.has(path) || isDocument?.(path) === true;
}

/**
 * Reads and parses a file. If the file is a post but the site already has an item at its path, the
 * item keeps its type.
 */
async function readAndParse(
  source: MarkdownFile,
  conventions: FolderConventions | null,
  options: ItemReadingOptions,
): Promise<{ markdown: MarkdownFileContent; found: ReturnType<typeof parseMarkdownItemInput> }> {
  const markdown = await readTextWithinLimits(source, conventions);
  const found = parseMarkdownItemInput(markdown, options);
  const choice = conventions?.posts ?? null;
  const isPost = found !== undefined && (markdown.adapted?.post ?? null) !== null;
  if (!isPost || choice === null) return { markdown, found };
  const type = (await options.typeAt(found.input.path)) ?? found.input.type;
  if (type === found.input.type) return { markdown, found };
  choice.otherTypes.set(source.file, type);
  const again = await readTextWithinLimits(source, conventions);
  return { markdown: again, found: parseMarkdownItemInput(again, options) };
}

/**
 * Maps translated files to the paths of their originals: in `originalsOfOtherType` if the types
 * differ, otherwise in `originals`.
 */
function originalsIn(
  translated: ReadonlyMap<string, string>,
  {
    files,
    paths,
    typesByFile,
  }: Readonly<Record<"files" | "paths" | "typesByFile", Map<string, string>>>,
): Pick<FolderSurvey, "originals" | "originalsOfOtherType"> {
  const originals = new Map<string, string>();
  const originalsOfOtherType = new Map<string, string>();
  for (const [file, place] of translated) {
    const original = files.get(place) ?? "";
    const path = paths.get(original);
    if (path === undefined) continue;
    const isAlike = typesByFile.get(original) === typesByFile.get(file);
    (isAlike ? originals : originalsOfOtherType).set(file, path);
  }
  return { originals, originalsOfOtherType };
}

function setIfNew(map: Map<string, string>, key: string, value: string | undefined): void {
  if (value !== undefined && !map.has(key)) map.set(key, value);
}

function outlineOf(
  { type, path, title, fields, sourceKey }: InputWithPath,
  isTranslation: boolean,
): OutlineForNameLookup {
  const aliases = fields[ALIASES_FIELD];
  const names = Array.isArray(aliases) ? aliases.map(String) : [];
  return { type, path, title, aliases: names, sourceKey: sourceKey ?? null, isTranslation };
}
