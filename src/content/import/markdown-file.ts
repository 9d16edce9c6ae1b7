import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { BODY_BYTES_MAX } from "../items/item.ts";
import type { ContentTypes } from "../types/content-type.ts";
import { pathOfFile, slugOfFile } from "./file-path.ts";
import { readFrontMatter } from "./front-matter.ts";
import { type ParseOptions, parseItem } from "./item-parsing.ts";
import { linksOf, mapLinks, type NamedFile } from "./markdown-links.ts";
import type { ImportProblem, ParsedItem } from "./parsed-item.ts";

export interface MarkdownFile {
  /** Relative to the import folder, separated by `/`. */
  file: string;
  text: string;
}

interface Options extends ParseOptions {
  /** The site path of another file of the import. */
  pathOf: (file: string) => string | undefined;
  /** Imported media files by link as written. */
  media?: ReadonlyMap<string, NamedFile>;
}

/**
 * Parses a Markdown file with YAML front matter. Defaults: type `page`, the path from the file's
 * place in the folder, the title from the first heading.
 */
export function parseMarkdownFile(
  source: MarkdownFile,
  { pathOf, media = new Map(), ...options }: Options,
): ParsedItem {
  const { file } = source;
  const { values, faults, body, lineOf } = readFrontMatter(source.text);
  const linesBefore = lineCount(source.text) - lineCount(body);
  const placeOf = (where: string) => placeIn(values, where, { lineOf, bodyLine: linesBefore + 1 });
  if (faults.length > 0) {
    const problems = faults.map((fault) => ({ ...fault, field: "", severity: "error" as const }));
    return { file, input: null, problems, statesStatus: false, isNotPublic: false, placeOf };
  }
  // Parsing an oversized body could take minutes, and it is rejected anyway.
  const tree = fromMarkdown(Buffer.byteLength(body) > BODY_BYTES_MAX ? "" : body);
  const links = mapLinks(body, tree, { file, pathOf, media });
  const text = withoutTitle(links.body, tree, values["title"]);
  const { body: _refused, ...stated } = values;
  const read = parseItem(
    {
      ...stated,
      type: values["type"] ?? "page",
      title: values["title"] ?? text.title,
      body: text.body,
    },
    options,
  );
  const problems: ImportProblem[] = read.problems.map(({ where, ...problem }) => ({
    ...problem,
    ...placeOf(where),
  }));
  if ("body" in values) {
    const message = "the text after the front matter is the body";
    problems.push({ ...placeOf("body"), line: lineOf(["body"]), message, severity: "error" });
  }
  for (const { link, line, fault } of links.broken) {
    const message =
      fault === null
        ? `the link "${link}" leads to no file of this import`
        : `the file behind "${link}" is not taken in: ${fault}`;
    problems.push({ line: line + linesBefore, field: "body", message, severity: "warning" });
  }
  const isWrong = problems.some(({ severity }) => severity === "error");
  const input = isWrong || read.input === null ? null : withPath(read.input, file, options.types);
  const { statesStatus, isNotPublic } = read;
  return { file, input, problems, statesStatus, isNotPublic, placeOf };
}

/** The site path of a Markdown file, even if other front matter is invalid. */
export function pathOfMarkdownFile(source: MarkdownFile, types: ContentTypes): string | undefined {
  const { values } = readFrontMatter(source.text);
  const stated = { ...values, type: values["type"] ?? "page", title: "any" };
  const { input } = parseItem(stated, {
    ...{ types, unknown: "leave_out" },
    now: new Date(0),
  });
  return input === null ? undefined : withPath(input, source.file, types).path;
}

/** Extensions of media files. */
const NAMES_FILE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|pdf|mp3|ogg|oga|opus|m4a|wav|flac|mp4|m4v|webm)(?![a-z0-9])/i;

/** The media files that a Markdown file links to, by link as written. */
export function filesNamedIn({ text }: MarkdownFile): { link: string; isImage: boolean }[] {
  if (!NAMES_FILE.test(text)) return [];
  const { body } = readFrontMatter(text);
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) return [];
  return linksOf(fromMarkdown(body)).filter(({ link }) => NAMES_FILE.test(link));
}

type Input = NonNullable<ParsedItem["input"]>;

function withPath(input: Input, file: string, types: ContentTypes): Input {
  const { slug, ...rest } = input;
  if (rest.path !== undefined) return { ...rest, path: withoutSlash(rest.path) };
  const listPath = types.get(input.type)?.listPath ?? null;
  if (listPath !== null) return { ...rest, path: `${listPath}/${slug ?? slugOfFile(file)}` };
  const place = pathOfFile(file);
  const path = slug === undefined ? place : `${place.slice(0, place.lastIndexOf("/"))}/${slug}`;
  return { ...rest, path };
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/+$/, "");
}

/** Removes a leading heading equal to the title, which the page shows anyway. */
function withoutTitle(body: string, tree: Root, stated: unknown): { title?: string; body: string } {
  const [first] = tree.children;
  if (first?.type !== "heading" || first.depth !== 1) return { body };
  const title = textOf(first).trim();
  if (title === "" || (stated !== undefined && stated !== title)) return { body };
  const start = first.position?.start.line ?? 1;
  const end = first.position?.end.line ?? start;
  const lines = body.split("\n");
  lines.splice(start - 1, end - start + 1);
  return { title, body: lines.join("\n").replace(/^\n+/, "") };
}

function textOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** Fields and relations may be top-level keys or nested in `fields` and `relations`. */
function placeIn(
  values: Readonly<Record<string, unknown>>,
  where: string,
  { lineOf, bodyLine }: { lineOf: (path: readonly string[]) => number; bodyLine: number },
): { line: number; field: string } {
  const parts = where.split(/[.[\]]+/).filter((part) => part !== "");
  const [first = "", second = ""] = parts;
  if (first === "body" || (first === "title" && !("title" in values))) {
    return { line: first === "body" ? bodyLine : 1, field: where };
  }
  const isAtTop = (first === "fields" || first === "relations") && second in values;
  const field = isAtTop ? where.slice(first.length + 1) : where;
  return { line: lineOf(isAtTop ? parts.slice(1) : parts), field };
}

function lineCount(text: string): number {
  return text.split(/\r\n?|\n/).length;
}
