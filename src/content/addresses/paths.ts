import { containsCredential } from "../../access/credentials.ts";
import { AppError, type Wording } from "../../errors.ts";
import { dropLoneSurrogate, foldText } from "../../search/language/folding.ts";
import { BUILT_IN_TYPES } from "../types/built-in.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";

const PATH_CHARACTERS_MAX = 300;
const SLUG_CHARACTERS_MAX = 80;

export const SEARCH_PATH = "/search";
/** Redirects to a random quotation. */
export const RANDOM_PATH = "/random";
/** The value of the parameter `language` that searches all languages. */
export const ALL_LANGUAGES_VALUE = "all";

/**
 * Calendar files: `CALENDAR_FILE` is below a type's list path, `EVENT_CALENDAR_FILE` below an item's path.
 */
export const CALENDAR_FILE = "calendar.ics";
export const EVENT_CALENDAR_FILE = "event.ics";

/** Pages that are neither items nor lists. Their paths and everything below them are reserved. */
const SERVICE_PAGES = [SEARCH_PATH] as const;

export type ServicePage = (typeof SERVICE_PAGES)[number];

/** First path segments that are reserved for the service. */
const RESERVED_SEGMENTS = new Set([
  "admin",
  "api",
  "assets",
  "healthz",
  "index",
  "mcp",
  "media",
  "metrics",
  "readyz",
  ...SERVICE_PAGES.map((path) => path.slice(1)),
]);
/** Single paths that are reserved for the service. */
const RESERVED_PATHS = new Set([
  RANDOM_PATH,
  "/contact/claim",
  "/contact/key-requested",
  "/contact/message-sent",
  "/preview",
]);

const SEGMENT_PATTERN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._~-]*$/u;
/**
 * Matches addresses that end like file names. Such addresses are reserved for the Markdown versions of
 * pages and for documents such as `/sitemap.xml`.
 */
const FILE_NAME = /\.\p{L}[\p{L}\p{N}]{0,4}$/u;
const APOSTROPHES = /['’ʼ]/g;
const NOT_IN_SLUG = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Validates and normalises a path for an item of a type.
 *
 * @throws {AppError} `invalid`, naming the violated rule.
 */
export function requireValidItemPath(
  requested: string,
  type: ContentType,
  types: ContentTypes,
): string {
  const path = requested.normalize("NFC");
  const fault = syntaxFault(path) ?? placementFault(path, type, types);
  if (fault !== null) {
    throw new AppError(
      "invalid",
      {
        en: `Cannot use the path "${path}": ${fault.en}`,
        de: `Die Adresse „${path}“ geht nicht: ${fault.de}`,
      },
      {
        problems: [{ where: "path", message: fault }],
      },
    );
  }
  return path;
}

/** Whether the path is reserved for the service, so that no item can have it. */
export function isReservedPath(path: string): boolean {
  return RESERVED_SEGMENTS.has(firstSegmentOf(path).toLowerCase()) || RESERVED_PATHS.has(path);
}

export function isServicePage(path: string): path is ServicePage {
  return SERVICE_PAGES.some((page) => page === path);
}

function firstSegmentOf(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

/** A URL segment from a title: lower case, in any script, words joined by hyphens. */
export function slugOf(title: string): string {
  // Folds twice, because folding maps look-alike symbols to letters that need folding themselves.
  const hyphenated = foldText(foldText(title)).replace(APOSTROPHES, "").replace(NOT_IN_SLUG, "-");
  const slug = hyphenated.replace(/^[-\p{M}]+|-+$/gu, "");
  return slug.length <= SLUG_CHARACTERS_MAX ? slug : cutAtHyphen(slug);
}

function cutAtHyphen(slug: string): string {
  const head = dropLoneSurrogate(slug.slice(0, SLUG_CHARACTERS_MAX));
  if (slug[SLUG_CHARACTERS_MAX] === "-") return head;
  const hyphen = head.lastIndexOf("-");
  return hyphen > SLUG_CHARACTERS_MAX / 2 ? head.slice(0, hyphen) : head;
}

const START_FAULT: Wording = { en: 'it must start with "/"', de: "Sie muss mit „/“ beginnen" };

function syntaxFault(path: string): Wording | null {
  if (!path.startsWith("/")) return START_FAULT;
  if (path === "/") return null;
  if (path.length > PATH_CHARACTERS_MAX) {
    return {
      en: `it is longer than ${PATH_CHARACTERS_MAX} characters`,
      de: `Sie ist länger als ${PATH_CHARACTERS_MAX} Zeichen`,
    };
  }
  if (path.endsWith("/")) {
    return { en: 'it must not end with "/"', de: "Sie darf nicht mit „/“ enden" };
  }
  const segments = path.slice(1).split("/");
  const malformed = segments.find((segment) => !SEGMENT_PATTERN.test(segment));
  if (malformed !== undefined) {
    return {
      en: `"${malformed}" cannot be part of a path; use letters, digits, "-", ".", "_" and "~"`,
      de: `„${malformed}“ kann nicht darin stehen; möglich sind Buchstaben, Ziffern, „-“, „.“, „_“ und „~“`,
    };
  }
  if (containsCredential(path)) {
    return {
      en: "it looks like a key, and addresses with a key are refused",
      de: "Sie sieht wie ein geheimer Schlüssel aus, und der gehört in keine Adresse",
    };
  }
  if (FILE_NAME.test(path)) {
    return {
      en: "it ends like a file name; leave the extension out",
      de: "Sie endet wie ein Dateiname: Lassen Sie die Endung weg",
    };
  }
  return null;
}

/**
 * Matches the path prefix of a language edition other than the main one, such as `/de` in
 * `/de/topics/zeit`.
 */
const LANGUAGE_PREFIX = /^\/[a-z]{2,3}(?:-[a-z0-9]{2,8})*(?=\/)/;

/** A path without the prefix of its edition. */
export function removeLanguagePrefix(path: string): string {
  return path.replace(LANGUAGE_PREFIX, "");
}

/** The type whose list page is at a path or nearest above it. */
function listOwner(path: string, types: ContentTypes): ContentType | null {
  let nearest: ContentType | null = null;
  for (const type of types.values()) {
    const { listPath } = type;
    if (listPath === null || !(path === listPath || isBelow(path, listPath))) continue;
    if (nearest === null || listPath.length > (nearest.listPath ?? "").length) nearest = type;
  }
  return nearest;
}

/** Whether a path is below the path of a list, with or without the prefix of an edition. */
function isBelow(path: string, listPath: string): boolean {
  return [path, removeLanguagePrefix(path)].some((each) => each.startsWith(`${listPath}/`));
}

function placementFault(path: string, type: ContentType, types: ContentTypes): Wording | null {
  if (isReservedPath(path)) {
    return {
      en: "it is reserved for the service",
      de: "Sie ist für die Website selbst reserviert",
    };
  }
  const owner = listOwner(path, types);
  if (owner === type && path !== type.listPath) return null;
  const isBuiltIn = BUILT_IN_TYPES.some(({ name }) => name === type.name);
  const staysBelow = isBuiltIn || owner === type || removeLanguagePrefix(path) === "/";
  if (type.listPath !== null && staysBelow) {
    return {
      en: `${type.plural} stand below ${type.listPath}/`,
      de: `Inhalte dieses Typs (${type.plural}) stehen unter ${type.listPath}/`,
    };
  }
  if (owner === null) return null;
  return {
    en: `${owner.listPath} belongs to ${owner.plural}`,
    de: `Unter ${owner.listPath} stehen andere Inhalte (${owner.plural})`,
  };
}
