import type { Definition, Image, Link, Nodes, Root } from "mdast";
import { linkedFiles } from "./file-path.ts";

interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** A linked media file: its address, or why it was not imported. */
export type NamedFile = { address: string } | { fault: string };

interface MappedBody {
  body: string;
  /** Links to missing or rejected files, with their lines in the body. */
  broken: { link: string; line: number; fault: string | null }[];
}

interface Surroundings {
  file: string;
  pathOf: (file: string) => string | undefined;
  /** By link as written. */
  media: ReadonlyMap<string, NamedFile>;
}

/**
 * Rewrites relative links: to Markdown files as page paths, to imported media as their addresses.
 * Any other relative link becomes root-relative and is reported as broken.
 */
export function mapLinks(
  body: string,
  tree: Root,
  { file, pathOf, media }: Surroundings,
): MappedBody {
  const broken: MappedBody["broken"] = [];
  const replacements: Replacement[] = [];
  for (const node of linksIn(tree)) {
    const { text, isBroken, fault } = mappedLink(node.url, { file, pathOf, media });
    if (isBroken) broken.push({ link: node.url, line: node.position?.start.line ?? 1, fault });
    const place = text === null ? null : placeOfUrl(node, body);
    if (text !== null && place !== null) replacements.push({ ...place, text });
  }
  return { body: replaced(body, replacements), broken };
}

/** The distinct links of a text as written. */
export function linksOf(tree: Root): { link: string; isImage: boolean }[] {
  const links = new Map(linksIn(tree).map((node) => [node.url, node.type === "image"]));
  return [...links].map(([link, isImage]) => ({ link, isImage }));
}

interface MappedLink {
  /** Null: unchanged. */
  text: string | null;
  isBroken: boolean;
  /** Why the file was not imported; null if the link leads to no file. */
  fault: string | null;
}

function mappedLink(link: string, { media, ...others }: Surroundings): MappedLink {
  const medium = media.get(link);
  if (medium === undefined) return mappedPage(link, others);
  if ("fault" in medium) return { ...mappedPage(link, others), isBroken: true, ...medium };
  const fragment = /#.*$/s.exec(link)?.[0] ?? "";
  return { text: medium.address + fragment, isBroken: false, fault: null };
}

function mappedPage(
  link: string,
  { file, pathOf }: Pick<Surroundings, "file" | "pathOf">,
): MappedLink {
  const files = linkedFiles(link, file);
  if (files === null) return { text: null, isBroken: false, fault: null };
  const [target = ""] = files;
  const path = files.map(pathOf).find((candidate) => candidate !== undefined);
  const rest = /[?#].*$/s.exec(link)?.[0] ?? "";
  const text = (path ?? `/${target.split("/").map(encodeURIComponent).join("/")}`) + rest;
  return { text, isBroken: path === undefined, fault: null };
}

/** In document order; iterative, because quotations may nest thousands of levels deep. */
function linksIn(tree: Root): (Link | Image | Definition)[] {
  const links: (Link | Image | Definition)[] = [];
  const ahead: Nodes[] = [tree];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      links.push(node);
    }
    if ("children" in node) for (const child of node.children.toReversed()) ahead.push(child);
  }
  return links;
}

/** The position of a node's URL in the text; null if the URL contains escapes. */
function placeOfUrl(
  node: Link | Image | Definition,
  body: string,
): { start: number; end: number } | null {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  const inside = "children" in node ? (node.children.at(-1)?.position?.end.offset ?? start) : start;
  const source = body.slice(inside, end);
  const mark = node.type === "definition" ? "]:" : "](";
  for (let from = source.lastIndexOf(mark); from >= 0; from = source.lastIndexOf(mark, from - 1)) {
    const url = source.slice(from + mark.length).replace(/^\s*<?/, "");
    const at = source.length - url.length;
    if (url.startsWith(node.url)) {
      return { start: inside + at, end: inside + at + node.url.length };
    }
    if (from === 0) break;
  }
  return null;
}

function replaced(body: string, replacements: readonly Replacement[]): string {
  let text = "";
  let done = 0;
  for (const { start, end, text: address } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < done) continue;
    text += body.slice(done, start) + address;
    done = end;
  }
  return text + body.slice(done);
}
