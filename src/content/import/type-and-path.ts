import type { Wording } from "../../errors.ts";
import type { ItemInput } from "../items/item.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import type { AdaptedFile } from "./conventions/adapting.ts";
import {
  avoidReservedPath,
  deriveDefaultSitePath,
  deriveSitePath,
  removeTrailingSlash,
} from "./file-path.ts";
import { ALIASES_FIELD } from "./item-names.ts";
import { isRecord } from "./item-parsing.ts";
import type { ImportProblem } from "./parsed-item.ts";
import { buildPostDateFields } from "./posts/post-files.ts";

export interface FileFrontMatter {
  file: string;
  values: Readonly<Record<string, unknown>>;
  /**
   * The result of converting the file, if it was written for another site generator; null for a file written
   * for this service.
   */
  adapted: AdaptedFile | null;
}

/** The item's type and aliases. For a post, also the fields with its dates. */
export function readTypeAliasesAndPostDates(
  source: FileFrontMatter,
  types: ContentTypes,
): Record<string, unknown> {
  const { values, adapted } = source;
  const name = typeOf(source, types);
  const type = typeof name === "string" ? types.get(name) : undefined;
  const post = adapted?.post ?? null;
  const { names = [] } = adapted ?? {};
  const stated =
    names.length > 0 && hasNames(type) ? { type: name, [ALIASES_FIELD]: names } : { type: name };
  if (post === null || type === undefined) return stated;
  const raw = isRecord(values["fields"]) ? values["fields"] : {};
  return { ...stated, fields: { ...raw, ...buildPostDateFields(post, type, values) } };
}

/**
 * The key for aliases, if the file has aliases but its type has no field for aliases; otherwise an empty
 * list.
 */
export function findUnsupportedAliasKeys(source: FileFrontMatter, types: ContentTypes): string[] {
  const type = typeOf(source, types);
  const isKept = typeof type === "string" && hasNames(types.get(type));
  return isKept || (source.adapted?.names ?? []).length === 0 ? [] : [ALIASES_FIELD];
}

function hasNames(type: ContentType | undefined): boolean {
  return type?.fields[ALIASES_FIELD]?.kind === "text_list";
}

export type InputWithPath = ItemInput & { path: string };

/**
 * The type that a file specifies. Otherwise, for a file from another site generator, the type whose list is
 * at the path of the file's folder. Otherwise, for a post, the type of posts. Otherwise `page`.
 */
function typeOf(source: FileFrontMatter, types: ContentTypes): unknown {
  const raw = source.values["type"] ?? null;
  const post = source.adapted?.post ?? null;
  if (raw !== null && (post === null || (typeof raw === "string" && types.has(raw)))) return raw;
  const place = sitePathOrNull(source);
  const folder = place?.slice(0, place.lastIndexOf("/"));
  return (
    [...types.values()].find(({ listPath }) => listPath === folder)?.name ?? post?.type ?? "page"
  );
}

/**
 * Why a page from another site generator is not imported: this site has a list at the page's address. Null:
 * the address is free.
 */
export function findListAddressConflict(
  source: FileFrontMatter,
  types: ContentTypes,
): Wording | null {
  const place = sitePathOrNull(source);
  if (place === null || (source.values["type"] ?? null) !== null) return null;
  if (source.adapted?.isAboveList === true) return null;
  const list = [...types.values()].find(({ listPath }) => listPath === place);
  if (list === undefined) return null;
  return {
    en: `has the address of the list of ${list.plural} here`,
    de: `hat die Adresse einer Liste dieser Website: ${place}`,
  };
}

/** The path of a page from another site generator; null for a file written for this service. */
function sitePathOrNull({ file, values, adapted }: FileFrontMatter): string | null {
  if (adapted === null) return null;
  const { path } = values;
  return typeof path === "string" ? path : deriveSitePath(adapted.place?.sitePath ?? file);
}

/**
 * Adds the path that the file specifies, or else a path derived from the file's position in the folder. If
 * this moves a page below the list of its type, the page's former address redirects to it.
 */
export function addStatedOrDefaultPath(
  input: ItemInput,
  { file: stored, adapted }: FileFrontMatter,
  types: ContentTypes,
): InputWithPath {
  const file = adapted?.place?.sitePath ?? stored;
  const { slug, ...rest } = input;
  const lists = new Set(
    adapted?.isAboveList ? [...types.values()].map((each) => each.listPath) : [],
  );
  const freePath = (path: string) =>
    adapted === null ? path : lists.has(path) ? `/pages${path}` : avoidReservedPath(path);
  if (rest.path !== undefined) return { ...rest, path: freePath(removeTrailingSlash(rest.path)) };
  const listPath = types.get(input.type)?.listPath ?? null;
  const path = deriveDefaultSitePath(file, adapted?.post == null ? listPath : null);
  const withSlug = (each: string) =>
    slug === undefined ? each : `${each.slice(0, each.lastIndexOf("/"))}/${slug}`;
  const placed = { ...rest, path: freePath(withSlug(path)) };
  const former = withSlug(deriveSitePath(file));
  const isMoved = adapted !== null && path !== deriveSitePath(file) && freePath(former) === former;
  if (!isMoved || [...types.values()].some((each) => each.listPath === former)) return placed;
  return { ...placed, redirectFrom: [...(rest.redirectFrom ?? []), former] };
}

/** Warnings about a page that got another path because the service reserves the page's address. */
export function reservedPathWarnings(
  { path }: InputWithPath,
  { adapted }: FileFrontMatter,
  place: { line: number; field: string },
): ImportProblem[] {
  const former = path.replace(/^\/pages(?=\/)/, "");
  const isMoved = avoidReservedPath(former) === path || adapted?.isAboveList === true;
  if (adapted === null || !isMoved || former === path) return [];
  const message = {
    en: `the service needs ${former} itself; the page is at ${path}`,
    de: `${former} braucht das Programm selbst; die Seite steht unter ${path}`,
  };
  return [{ ...place, message, severity: "warning" }];
}
