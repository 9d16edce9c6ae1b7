import type { Definition, Image, Link, Nodes, Root } from "mdast";
import { linkedFiles } from "./file-path.ts";

interface Replacement {
  start: number;
  end: number;
  text: string;
}

interface MappedBody {
  body: string;
  /** Relative links that lead to no file of the import, and the lines of the body they stand on. */
  broken: { link: string; line: number }[];
}

/**
 * Turns relative links between Markdown files into the paths of their pages. Links to anything
 * else in the folder become absolute from its root and are told.
 */
export function mapLinks(
  body: string,
  tree: Root,
  { file, pathOf }: { file: string; pathOf: (file: string) => string | undefined },
): MappedBody {
  const broken: MappedBody["broken"] = [];
  const replacements: Replacement[] = [];
  for (const node of linksIn(tree)) {
    const files = linkedFiles(node.url, file);
    if (files === null) continue;
    const [target = ""] = files;
    const path = files.map(pathOf).find((candidate) => candidate !== undefined);
    if (path === undefined) broken.push({ link: node.url, line: node.position?.start.line ?? 1 });
    const rest = /[?#].*$/s.exec(node.url)?.[0] ?? "";
    const text = (path ?? `/${target.split("/").map(encodeURIComponent).join("/")}`) + rest;
    const place = placeOfUrl(node, body);
    if (place !== null) replacements.push({ ...place, text });
  }
  return { body: replaced(body, replacements), broken };
}

/** In the order of the text; without recursion, since quotations may nest by the thousand. */
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

/** Where a node's address stands in the text; null when it is written with escapes. */
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
