import type { Wording } from "../../../errors.ts";
import {
  addLinkToPostList,
  hasListOfPosts,
  LIST_OF_POSTS_REASON,
  resolveLocalAndSitePaths,
} from "../posts/lists-of-posts.ts";
import {
  extractPost,
  type ForeignPost,
  isBlankBody,
  isPostFile,
  parseDayInFileName,
} from "../posts/post-files.ts";
import type { RedirectPair } from "../redirects/redirect-rule.ts";
import { adaptText, findTooManyTagsError } from "./adapting-text.ts";
import {
  addressesSpelledLikeFile,
  encodeFilePath,
  formerHtmlPath,
} from "./addresses/file-address.ts";
import { normalizeFormerAddressKeys } from "./addresses/former-addresses.ts";
import { findExplicitAddress } from "./addresses/page-address.ts";
import { findRedirectTarget, parseRedirectPage } from "./addresses/redirect-page.ts";
import { parseDateInFileName } from "./addresses/site-paths.ts";
import type { ConversionNote } from "./conversion-note.ts";
import type { FileWithLanguage } from "./file-languages.ts";
import type { FolderConventions } from "./folder-conventions.ts";
import {
  applyHidingTags,
  extractMenuKeys,
  normalizeDateKey,
  normalizeDateValue,
  normalizeLastChangeKey,
  normalizeSummaryKey,
  removeInvalidKeys,
} from "./front-matter-keys.ts";
import { insertLeadPicture, type MissingPicture } from "./lead-picture.ts";
import { type ForeignFile, findReasonToSkip } from "./reason-to-skip.ts";
import type { SiteGenerator } from "./site-generator.ts";
import { extractTerms, type FileTopicsAndAuthors, NO_TERMS } from "./terms/file-terms.ts";
import { findTagsInNote } from "./terms/inline-tags.ts";
import { flattenListValues } from "./terms/term-values.ts";

/** A file written for another site generator, converted to this service's conventions. */
export interface AdaptedFile {
  /** The file's language and paths; null: the file is not content. */
  place: FileWithLanguage | null;
  /** Why the file is not imported; null: it is imported. */
  skipped: Wording | null;
  /** For a page that only redirects: its former addresses and the target. */
  redirects: readonly RedirectPair[];
  values: Readonly<Record<string, unknown>>;
  body: string;
  /** Number of lines at the top of the body that do not come from the file. */
  linesAdded: number;
  terms: FileTopicsAndAuthors;
  /** The post that the file contains; null: the file is a page. */
  post: ForeignPost | null;
  /**
   * Whether the page, besides its own text, listed posts on the former site. Such a page is imported as the
   * introduction above its list of posts.
   */
  isAboveList: boolean;
  /** The former addresses of a page that only listed posts and is not imported. */
  listAddresses: readonly string[];
  /** Messages about what was changed or left out. */
  notes: readonly ConversionNote[];
  /** Front matter keys left out because they have another meaning for the other site generator. */
  leftOut: readonly string[];
  /** Front matter that places the page in menus. */
  menu: Readonly<Record<string, unknown>>;
  /** Other names of the file, from Obsidian's `aliases`. */
  names: readonly string[];
  missingPictures: readonly MissingPicture[];
  /** Addresses of the files that tags in the body named. */
  addressesOfFiles: ReadonlySet<string>;
}

/**
 * Interprets a file according to the conventions of the site generator that it was written for. An unusable
 * date, address or summary is left out with a note; the page is still imported.
 */
export function adaptFile(written: ForeignFile, conventions: FolderConventions): AdaptedFile {
  const { generator, languages, timeZone } = conventions;
  const { file } = written;
  const defaults = generator.defaultsOf?.(conventions.fileIn(file)) ?? {};
  const source = { ...written, values: { ...defaults, ...written.values } };
  const contentPath = conventions.sitePathOf(file);
  const unused = { ...NOT_ADAPTED, values: source.values, body: source.body };
  if (contentPath === null) return { ...unused, place: null, skipped: noContentOf(generator.name) };
  const place = languages.of(contentPath);
  const skipped =
    findReasonToSkip(source, contentPath, conventions) ?? findTooManyTagsError(source, conventions);
  if (skipped !== null) return { ...unused, place, skipped };
  const to = findRedirectTarget(source.values);
  if (to !== null) {
    const redirects = parseRedirectPage(source.values, { place, to, generator });
    return { ...unused, place, skipped: redirectsTo(to), redirects };
  }
  const notes: ConversionNote[] = [];
  const { prefix } = place;
  const addressesOfFiles = new Set<string>();
  const text = adaptText({ ...source, prefix }, conventions, { notes, addressesOfFiles });
  const values = adaptedValues(source, { place, conventions, notes });
  const pictured = insertLeadPicture({ file, body: text }, values, conventions);
  const { body, linesAdded } = pictured;
  const paths = resolveLocalAndSitePaths(file, place, conventions);
  const postOptions = { folders: generator.posts, choice: conventions.posts };
  const post = extractPost({ file, ...paths, timeZone }, values, postOptions);
  const leftOut = removeInvalidKeys(values);
  const menu = generator.hasMenuKeys === true ? extractMenuKeys(values) : {};
  if (generator.hasWikiLinks === true) addInlineTags(values, source.body, generator);
  const terms = extractTerms(values, { generator, known: conventions.terms, prefix, notes });
  const adapted = {
    ...unused,
    place,
    skipped: null,
    ...{ body, linesAdded, values, terms, post, notes, leftOut, menu, addressesOfFiles },
    missingPictures: pictured.missing,
    names: generator.hasWikiLinks === true ? namesIn(source.values["aliases"]) : [],
  };
  if (post !== null || !hasListOfPosts(source.body, paths, conventions)) return adapted;
  if (!isBlankBody(text.replaceAll(String(values["title"] ?? ""), ""), file)) {
    const linked = addLinkToPostList({ file, body }, place, conventions);
    return { ...adapted, body: linked, isAboveList: true };
  }
  const listAddresses = parseRedirectPage(source.values, { place, to: "", generator }).map(
    ({ from }) => from,
  );
  return { ...unused, place, skipped: LIST_OF_POSTS_REASON, listAddresses, menu };
}

const NOT_ADAPTED = {
  linesAdded: 0,
  terms: NO_TERMS,
  post: null,
  isAboveList: false,
  listAddresses: [],
  notes: [],
  redirects: [],
  leftOut: [],
  menu: {},
  names: [],
  missingPictures: [],
  addressesOfFiles: new Set<string>(),
};

function redirectsTo(target: string): Wording {
  const shown = target.slice(0, 200);
  return { en: `only redirects to ${shown}`, de: `führt nur weiter zu ${shown}` };
}

function noContentOf(generator: string): Wording {
  return { en: `is not content of ${generator}`, de: `ist kein Inhalt von ${generator}` };
}

interface AdaptingContext {
  place: FileWithLanguage;
  conventions: FolderConventions;
  /** New notes are appended to this list. */
  notes: ConversionNote[];
}

function adaptedValues(
  { file, values: raw }: ForeignFile,
  { place, conventions, notes }: AdaptingContext,
): Record<string, unknown> {
  const { generator } = conventions;
  const values: Record<string, unknown> = { ...raw };
  convertToText(values, notes);
  applyHidingTags(values, generator);
  normalizeDateKey(values);
  normalizeLastChangeKey(values);
  const day = dayFromName(file, place, conventions);
  if (day !== null) values["date"] ??= day;
  if (/(?:^|\/)_drafts\//.test(file)) values["draft"] = true;
  const language = place.language ?? generator.mainLanguage;
  if (!hasLanguage(values) && language !== undefined) values["language"] = language;
  if (generator.hasWikiLinks === true) {
    // In a folder with wiki links, `aliases` are names rather than former addresses.
    delete values["aliases"];
    if (values["publish"] === false) values["draft"] = true;
  }
  const address = findExplicitAddress(
    { file: conventions.fileIn(file), place, values },
    generator,
    notes,
  );
  for (const key of ["permalink", "url", "path"]) delete values[key];
  if (address !== null) {
    values["path"] = address.path;
    delete values["slug"];
    const { former } = address;
    if (former.length > 0) values["redirect_from"] = [values["redirect_from"] ?? [], former].flat();
  } else addFileAddresses(values, file, { place, conventions });
  dropFileLikeSlug(values, place.sitePath, notes);
  normalizeDateValue(values, notes);
  if (day !== null) values["date"] ??= day;
  normalizeSummaryKey(values, notes);
  normalizeFormerAddressKeys(values, { place, generator, notes });
  return values;
}

function namesIn(aliases: unknown): string[] {
  const names = flattenListValues(aliases, "commas").map((name) => String(name ?? "").trim());
  return names.filter((name) => name !== "");
}

function addInlineTags(
  values: Record<string, unknown>,
  body: string,
  { listInText = "whole" }: SiteGenerator,
): void {
  const tags = findTagsInNote(body);
  if (tags.length > 0) values["tags"] = [...flattenListValues(values["tags"], listInText), ...tags];
}

/** The date in the file's name. A post gets this date even if its site generator ignores it. */
function dayFromName(
  file: string,
  place: FileWithLanguage,
  conventions: FolderConventions,
): string | null {
  const { generator } = conventions;
  const isPost =
    generator.posts !== undefined &&
    isPostFile(resolveLocalAndSitePaths(file, place, conventions), generator.posts);
  return parseDateInFileName(file, generator) ?? (isPost ? parseDayInFileName(file) : null);
}

const TEXT_KEYS: readonly string[] = [
  ..."title slug summary description excerpt language lang permalink url path".split(" "),
];

/** Converts numbers under {@link TEXT_KEYS} to text. Leaves out lists and mappings, with a note. */
function convertToText(values: Record<string, unknown>, notes: ConversionNote[]): void {
  for (const key of TEXT_KEYS) {
    const value = values[key];
    if (value === undefined || value === null || typeof value === "string") continue;
    delete values[key];
    if (typeof value === "object") {
      const message = {
        en: "is not text and is left out",
        de: "ist kein Text und wird weggelassen",
      };
      notes.push({ key, message });
    } else values[key] = String(value);
  }
}

function hasLanguage(values: Readonly<Record<string, unknown>>): boolean {
  return ["language", "lang"].some((key) => values[key] !== undefined && values[key] !== null);
}

function addFileAddresses(
  values: Record<string, unknown>,
  file: string,
  { place, conventions }: Pick<AdaptingContext, "place" | "conventions">,
): void {
  const { generator } = conventions;
  const fileAddress = conventions.addressOfFile(file) ?? `/${place.sitePath}`;
  const addresses = [
    ...(generator.hasFileAddresses === true ? [formerHtmlPath(fileAddress)] : []),
    ...addressesSpelledLikeFile(place.sitePath, values["slug"], generator),
  ];
  if (addresses.length === 0) return;
  values["redirect_from"] = [values["redirect_from"] ?? [], addresses.map(encodeFilePath)].flat(2);
}

/**
 * Drops a slug with a dot, because such a slug looks like a file name. The page is then named after its file,
 * and the slug's address redirects to the page.
 */
function dropFileLikeSlug(
  values: Record<string, unknown>,
  place: string,
  notes: ConversionNote[],
): void {
  const { slug } = values;
  if (typeof slug !== "string") return;
  if (/\s/.test(slug)) values["slug"] = slug.trim().replaceAll(/\s+/g, "-");
  if (!slug.includes(".")) return;
  delete values["slug"];
  const former = `/${place.slice(0, place.lastIndexOf("/") + 1)}${slug}`;
  values["redirect_from"] = [values["redirect_from"] ?? [], former].flat();
  const name = slug.slice(0, 100);
  const message = {
    en: `"${name}" looks like a file; the page has its own file's name, and the old address leads there`,
    de: `„${name}“ sieht aus wie eine Datei; die Seite heißt wie ihre eigene Datei, und die alte Adresse führt dorthin`,
  };
  notes.push({ key: "slug", message });
}
