import type { Wording } from "../../errors.ts";
import { MEDIA_KINDS } from "../media/media-kinds.ts";
import {
  candidateFilesOfRelativeLink,
  toFormerSitePath,
  toIndexOfNamesakeFolder,
} from "./file-path.ts";
import { countLineBreaks } from "./lines.ts";
import type { MarkdownLink } from "./markdown-outline.ts";

interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** A linked media file: its address, or why it was not imported. */
export type LinkedMediaFile = { address: string } | { fault: Wording };

export interface BodyWithRewrittenLinks {
  body: string;
  /** Links to missing or rejected files, with their lines in the body. */
  broken: { link: string; line: number; fault: Wording | null }[];
}

export interface SiteLookup {
  pageAt: (path: string) => string | undefined;
  /** Files that a path from the root of the site may refer to, most likely first. */
  filesAt: (path: string) => readonly string[];
}

interface LinkContext {
  file: string;
  pathOf: (file: string) => string | undefined;
  /** Imported media files, keyed by the link as the author wrote it. */
  media: ReadonlyMap<string, LinkedMediaFile> | undefined;
  /**
   * Finds pages and files of the whole site; null if the import does not cover the whole site. If this is not
   * null, root-relative links are resolved too, and relative links are also resolved against the page's
   * address.
   */
  wholeSite: SiteLookup | null;
}

/**
 * Rewrites relative links. Links to Markdown files become page paths, and links to imported media
 * become their addresses. Any other relative link becomes root-relative and is reported as broken.
 */
export function rewriteRelativeLinks(
  body: string,
  links: readonly MarkdownLink[],
  context: LinkContext,
): BodyWithRewrittenLinks {
  const broken: BodyWithRewrittenLinks["broken"] = [];
  const replacements: Replacement[] = [];
  for (const { url, line, place } of links) {
    const { text, isBroken, fault } = mappedLink(url, context);
    if (isBroken) broken.push({ link: url, line, fault });
    if (text !== null && place !== null) replacements.push({ ...place, text });
  }
  return { body: withReplacements(body, replacements), broken };
}

/** Bounds the time, because each address is searched for in the whole text. */
const SHOWN_ADDRESSES_MAX = 100;
const TOO_MANY_ADDRESSES: Wording = {
  en: `was not read: only ${SHOWN_ADDRESSES_MAX} addresses shown by a text are`,
  de: `wurde nicht gelesen: Nur ${SHOWN_ADDRESSES_MAX} Adressen, die ein Text zeigt, werden es`,
};

/**
 * Finds file addresses that a text shows but does not link to, and replaces them with the paths of the
 * corresponding pages. Reports addresses without a page.
 */
export function replaceBareFileAddresses(
  { body: linked, broken }: BodyWithRewrittenLinks,
  addresses: ReadonlySet<string>,
  context: LinkContext,
): BodyWithRewrittenLinks {
  let body = linked;
  const missing: BodyWithRewrittenLinks["broken"] = [];
  const unread = [...addresses].slice(SHOWN_ADDRESSES_MAX);
  for (const link of unread) missing.push({ link, line: 1, fault: TOO_MANY_ADDRESSES });
  const read = [...addresses].slice(0, SHOWN_ADDRESSES_MAX);
  for (const address of read.sort((a, b) => b.length - a.length)) {
    // Markdown that was converted from HTML escapes an underscore at the start of a name.
    const written = [address, address.replaceAll("/_", "/\\_")].find((each) => body.includes(each));
    if (written === undefined) continue;
    const { text } = mappedPage(address, context);
    if (text !== null) body = body.replaceAll(written, () => text);
    else if (!broken.some(({ link }) => link.startsWith(address))) {
      const before = body.slice(0, body.indexOf(written));
      missing.push({ link: address, line: 1 + countLineBreaks(before), fault: null });
    }
  }
  return { body, broken: [...broken, ...missing] };
}

/** Extensions of imported files besides those in {@link MEDIA_KINDS}. */
const OTHER_EXTENSIONS = ["jpeg", "oga", "opus", "m4v"];
const FILE_EXTENSIONS = [...MEDIA_KINDS.map(({ extension }) => extension), ...OTHER_EXTENSIONS];
const NAMES_FILE = new RegExp(`\\.(?:${FILE_EXTENSIONS.join("|")})(?![a-z0-9])`, "i");

/** The links of a text that lead to media files, as the author wrote them. */
export function findMediaFileLinks(
  links: readonly MarkdownLink[],
): { link: string; isImage: boolean }[] {
  return distinctLinks(links).filter(({ link }) => NAMES_FILE.test(link));
}

/** The links of a text as the author wrote them, each once. */
function distinctLinks(links: readonly MarkdownLink[]): { link: string; isImage: boolean }[] {
  const isImageByUrl = new Map(links.map(({ url, isImage }) => [url, isImage]));
  return [...isImageByUrl].map(([link, isImage]) => ({ link, isImage }));
}

interface MappedLink {
  /** The text to write in place of the link; null: the link is unchanged. */
  text: string | null;
  isBroken: boolean;
  /**
   * Why the linked media file was not imported. Null: the file was imported, or the link names no media file.
   */
  fault: Wording | null;
}

function mappedLink(link: string, { media, ...others }: LinkContext): MappedLink {
  const medium = media?.get(link);
  if (medium === undefined) return mappedPage(link, others);
  if ("fault" in medium) return { ...mappedPage(link, others), isBroken: true, ...medium };
  const fragment = /#.*$/s.exec(link)?.[0] ?? "";
  return { text: medium.address + fragment, isBroken: false, fault: null };
}

function mappedPage(
  link: string,
  { file, pathOf, wholeSite }: Omit<LinkContext, "media">,
): MappedLink {
  if (wholeSite !== null && /^\/(?![/\\])/.test(link))
    return mappedFromRoot(link, pathOf, wholeSite);
  const files = candidateFilesOfRelativeLink(link, file);
  if (files === null) return { text: null, isBroken: false, fault: null };
  const fromAddress =
    wholeSite === null
      ? []
      : (candidateFilesOfRelativeLink(link, toIndexOfNamesakeFolder(file)) ?? []);
  const [target = ""] = files;
  const path =
    firstPath([...files, ...fromAddress], pathOf) ??
    (wholeSite === null
      ? undefined
      : (firstPath(possibleTargetFiles(link, file), pathOf) ??
        pageFromAddress(link, pathOf(file), wholeSite)));
  const text = (path ?? `/${target.split("/").map(encodeURIComponent).join("/")}`) + endOf(link);
  return { text, isBroken: path === undefined, fault: null };
}

function firstPath(files: readonly string[], pathOf: LinkContext["pathOf"]): string | undefined {
  return files.map(pathOf).find((path) => path !== undefined);
}

/** Maximum number of folders above a page in which to look up a link. */
const FOLDERS_ABOVE_MAX = 10;

/**
 * The files that a link such as `manual/start.md` may mean. As in Docusaurus, the link may be relative to any
 * folder above the page's own. The nearest folder comes first.
 */
function possibleTargetFiles(link: string, file: string): string[] {
  const [path = ""] = link.split(/[?#]/);
  if (!/^[^./][^/]*\/.*\.mdx?$/i.test(path)) return [];
  const folders = file.split("/").slice(0, -2);
  const depths = [...folders.keys(), folders.length].reverse().slice(0, FOLDERS_ABOVE_MAX);
  return depths.flatMap(
    (depth) => candidateFilesOfRelativeLink(path, [...folders.slice(0, depth), ""].join("/")) ?? [],
  );
}

/**
 * The page that a relative link leads to. The link is resolved against the address of its own page,
 * first with a trailing slash and then without.
 */
function pageFromAddress(
  link: string,
  pageAddress: string | undefined,
  { pageAt }: SiteLookup,
): string | undefined {
  if (pageAddress === undefined) return undefined;
  const bases = [`${pageAddress}/`.replace("//", "/"), pageAddress];
  const paths = bases.flatMap(
    (base) => URL.parse(link, `file://${encodeURI(base)}`)?.pathname ?? [],
  );
  return paths.map((path) => pageAt(toFormerSitePath(path))).find((path) => path !== undefined);
}

/**
 * Resolves a link that begins with `/`: an address of the former site, or the path of a file in the folder.
 */
function mappedFromRoot(
  link: string,
  pathOf: LinkContext["pathOf"],
  { pageAt, filesAt }: SiteLookup,
): MappedLink {
  const address = toFormerSitePath(link);
  const files = filesAt(address.slice(1)).flatMap(
    (place) => candidateFilesOfRelativeLink(place, "") ?? [],
  );
  const path = pageAt(address) ?? files.map(pathOf).find((found) => found !== undefined);
  return {
    text: path === undefined ? null : path + endOf(link),
    isBroken: path === undefined,
    fault: null,
  };
}

/** The query and fragment of a link. */
function endOf(link: string): string {
  return /[?#].*$/s.exec(link)?.[0] ?? "";
}

function withReplacements(body: string, replacements: readonly Replacement[]): string {
  let text = "";
  let copiedTo = 0;
  for (const { start, end, text: address } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < copiedTo) continue;
    text += body.slice(copiedTo, start) + address;
    copiedTo = end;
  }
  return text + body.slice(copiedTo);
}
