import { AppError, inputError, type Wording } from "../../errors.ts";
import type { ContentReader, Redirect } from "../record.ts";
import {
  canonicalQuery,
  folderOfPattern,
  isAddressPattern,
  PATTERN_SEGMENTS_MAX,
  patternOfFolder,
  SPLAT_PLACEHOLDER,
} from "./address-patterns.ts";
import { isReservedPath } from "./paths.ts";
import { pathOfAddress, shortenAddress } from "./site-path.ts";

const ADDRESS_CHARACTERS_MAX = 1000;
/**
 * Matches wildcards in the syntax of other web servers, such as `/blog/*.html`, `/blog/:slug` and
 * `/blog/{slug}`.
 */
const OTHER_PATTERN = /\*|\/:[a-z]|\{[^}]*\}/i;
/**
 * Matches reserved paths, such as `/index.php`, that can still be redirected because former sites used them.
 */
const FORMER_INDEX = /^\/index\.[a-z]{3,5}$/;

const LENGTH_FAULT: Wording = {
  en: `is longer than ${ADDRESS_CHARACTERS_MAX} characters`,
  de: `ist länger als ${ADDRESS_CHARACTERS_MAX} Zeichen`,
};

/**
 * Normalises an address of a former site in the way requests are normalised: decodes it, removes `.md`
 * and repeated and trailing slashes, and sorts the query. Absolute URLs are accepted only with an
 * `origin`.
 *
 * @throws {AppError} `invalid`, with `where` as the position of the problem.
 */
export function parseFormerAddress(text: string, origin: string | null, where: string): string {
  const address = text.trim();
  if (address.includes("#")) {
    throw redirectError(where, {
      en: "browsers keep what follows # to themselves; leave it out",
      de: "Was auf # folgt, behalten Browser für sich: Lassen Sie es weg",
    });
  }
  if (!address.startsWith("/") && origin === null) {
    throw redirectError(where, {
      en: `"${shortenAddress(address)}" must start with "/"`,
      de: `„${shortenAddress(address)}“ muss mit „/“ beginnen`,
    });
  }
  if (address.length > ADDRESS_CHARACTERS_MAX) {
    throw redirectError(where, LENGTH_FAULT);
  }
  const [, pathPart = "", query = ""] = /^([^?]*)\??(.*)$/su.exec(address) ?? [];
  if (isAddressPattern(pathPart)) return formerPattern(pathPart, { query, origin, where });
  const path = readAddress(pathPart.replaceAll(/\/{2,}/g, collapseSlashes), { origin, where });
  if (query !== "") return `${path}?${canonicalQuery(new URLSearchParams(query))}`;
  if (path === "/") {
    throw redirectError(where, { en: "is the home page", de: "ist die Startseite" });
  }
  return requireRequestable(path, where);
}

function formerPattern(
  pattern: string,
  { query, origin, where }: { query: string; origin: string | null; where: string },
): string {
  if (query !== "") {
    throw redirectError(where, {
      en: "a pattern goes by path; leave out what follows ?",
      de: "Bei einem Muster zählt nur der Pfad: Lassen Sie weg, was auf ? folgt",
    });
  }
  const address = folderOfPattern(pattern).replaceAll(/\/{2,}/g, collapseSlashes) || "/";
  const folder = readAddress(address, { origin, where });
  if (folder === "/")
    throw redirectError(where, {
      en: `"${pattern}" would cover the whole site`,
      de: `„${pattern}“ würde die ganze Website umfassen`,
    });
  if (folder.split("/").length > PATTERN_SEGMENTS_MAX + 1) {
    throw redirectError(where, {
      en: `has more than ${PATTERN_SEGMENTS_MAX} folders before the *`,
      de: `hat mehr als ${PATTERN_SEGMENTS_MAX} Ordner vor dem *`,
    });
  }
  return patternOfFolder(requireRequestable(folder, where));
}

function requireRequestable(path: string, where: string): string {
  if (!/\/\.{1,2}(?:\/|$)/.test(path)) return path;
  throw redirectError(where, {
    en: `"${path}" can never be asked for: browsers resolve . and ..`,
    de: `„${path}“ kann kein Browser aufrufen: . und .. werden vorher aufgelöst`,
  });
}

/** Collapses repeated slashes, except the two after a scheme. */
function collapseSlashes(slashes: string, at: number, all: string): string {
  return all[at - 1] === ":" ? slashes : "/";
}

function readAddress(
  address: string,
  { origin, where }: { origin: string | null; where: string },
): string {
  try {
    const path = pathOfAddress(address, origin ?? "https://site.invalid");
    return path.replaceAll(/\/{2,}/g, "/");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw redirectError(where, error.wording);
  }
}

/**
 * Refuses a path that the service itself answers.
 *
 * @throws {AppError} `invalid`.
 */
export async function requireNoPageAt(
  content: ContentReader,
  from: string,
  isDocument: (path: string) => boolean,
  where = "from",
): Promise<void> {
  const path = isAddressPattern(from) ? folderOfPattern(from) : from.replace(/\?.*$/su, "");
  if (OTHER_PATTERN.test(path)) {
    throw redirectError(where, {
      en: `"${shortenAddress(from)}" looks like a pattern: only a * at the end is understood, such as /blog/*`,
      de: `„${shortenAddress(from)}“ sieht wie ein Muster aus: Verstanden wird nur ein * am Ende, wie /blog/*`,
    });
  }
  if (isReservedPath(path) && !FORMER_INDEX.test(path)) {
    throw redirectError(where, {
      en: `"${path}" is reserved for the service`,
      de: `„${path}“ ist für die Website selbst reserviert`,
    });
  }
  if (isDocument(path)) {
    throw redirectError(where, {
      en: `"${path}" is a document of the site`,
      de: `„${path}“ ist ein Dokument der Website`,
    });
  }
  if (isAddressPattern(from)) return;
  const types = [...(await content.types()).values()];
  const listedType = types.find(({ listPath }) => listPath === path);
  if (listedType !== undefined) {
    throw redirectError(where, {
      en: `"${path}" is the list of ${listedType.plural}`,
      de: `„${path}“ ist die Liste von Inhalten eines Typs (${listedType.plural})`,
    });
  }
}

/**
 * The URL on another site that a redirect leads to; null if `to` is on this site.
 *
 * @throws {AppError} `invalid` for a URL that is malformed, too long, or contains a user name or
 * password.
 */
export function parseExternalRedirectTarget(to: string, origin: string): string | null {
  if (!/^https?:/i.test(to)) return null;
  const url = URL.parse(to);
  if (url === null) {
    throw redirectError("to", {
      en: `Cannot read "${shortenAddress(to)}" as an address`,
      de: `„${shortenAddress(to)}“ ist keine Adresse`,
    });
  }
  if (url.host === URL.parse(origin)?.host) return null;
  if (url.username !== "" || url.password !== "") {
    throw redirectError("to", {
      en: "an address with a name or password in it is not published",
      de: "Eine Adresse mit Namen oder Passwort wird nicht veröffentlicht",
    });
  }
  if (url.href.length > ADDRESS_CHARACTERS_MAX) {
    throw redirectError("to", LENGTH_FAULT);
  }
  return url.href;
}

/**
 * Checks a target that contains `:splat`: `from` must be a pattern, and `:splat` must occur once,
 * after a slash of the target's path.
 *
 * @throws {AppError} `invalid`.
 */
export function requireValidSplat(to: string, from: string): void {
  const parts = to.split(SPLAT_PLACEHOLDER);
  if (parts.length === 1) return;
  if (!isAddressPattern(from)) {
    throw redirectError("to", {
      en: `${SPLAT_PLACEHOLDER} needs an address that ends in /*, such as /blog/*`,
      de: `${SPLAT_PLACEHOLDER} braucht eine frühere Adresse, die auf /* endet, wie /blog/*`,
    });
  }
  const [before = ""] = parts;
  const isInPath = /^(?:https?:\/\/[^/]+)?\/(?:[^?#]*\/)?$/i.test(before);
  if (parts.length > 2 || !isInPath) {
    throw redirectError("to", {
      en: `${SPLAT_PLACEHOLDER} can occur once, after a slash of the path: /news/${SPLAT_PLACEHOLDER}`,
      de: `${SPLAT_PLACEHOLDER} steht einmal, nach einem Schrägstrich der Adresse: /news/${SPLAT_PLACEHOLDER}`,
    });
  }
}

export function isHomePage(address: string): boolean {
  return /^\/*$/.test(address.trim());
}

/** Whether a target differs from a former address only in spelling, as `/about/` differs from `/about`. */
export function isSamePath(from: string, to: string, origin: string): boolean {
  if (/[?#]/.test(to) || !/^(?:\/(?!\/)|https?:)/i.test(to)) return false;
  try {
    return pathOfAddress(to, origin) === from;
  } catch {
    return false;
  }
}

/**
 * Whether the target of a redirect is the item with this id. Without an id: whether the target is an item
 * at all.
 */
export function isRedirectToItem({ to }: Pick<Redirect, "to">, itemId?: string): boolean {
  return to !== null && "itemId" in to && (itemId ?? to.itemId) === to.itemId;
}

/** The path or URL that a redirect leads to. Null if it leads to an item, or if the address is gone. */
export function formatRedirectTarget(to: Redirect["to"]): string | null {
  if (to === null || "itemId" in to) return null;
  return "url" in to ? to.url : to.path;
}

export function redirectError(where: string, message: Wording): AppError {
  const heading = { en: "Cannot redirect", de: "Diese Weiterleitung geht nicht" };
  return inputError(heading, [{ where, message }]);
}
