import { countLineBreaks } from "../lines.ts";
import { findFenceOpenAfter, indentOf, splitCodeAndProse } from "./code-parts.ts";
import type { UnknownTag, UntaggedText } from "./tags/replacing.ts";

/** The beginning of an ES module statement, which ends at the next empty line. */
const MODULE_STATEMENT =
  /^(?:import\s+(?:["'{*\w])|export\s+(?:default|const|let|function|async|class|\{|\*))/;
const TAG_CHARACTERS_MAX = 5000;
/** The search stops after this many malformed tags, to bound its time. Real texts have fewer. */
const MALFORMED_TAGS_MAX = 1000;
const JSX_EXPRESSION = /\{([^{}\n]{0,500})\}/g;
const TEXT_IN_EXPRESSION = /^\s*(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)\s*$/;
/** Attributes that components show to readers. */
const LABEL_ATTRIBUTES: readonly string[] = [
  "title",
  "label",
  "header",
  "summary",
  "caption",
  "text",
  "name",
];

interface Tag {
  name: string;
  kind: "open" | "close" | "single";
  attributes: Readonly<Record<string, string>>;
  end: number;
}

/**
 * Replaces what MDX adds to Markdown: statements, comments, expressions and components. A component becomes
 * its label and its content. A component with neither is left out and reported. Line numbers stay the same.
 */
export function replaceMdxComponents(
  text: string,
  page: Readonly<Record<string, unknown>>,
): UntaggedText {
  const unknown: UnknownTag[] = [];
  const prose = unindented(withoutStatements(withoutComments(text)));
  let body = "";
  let line = 1;
  for (const { part, isCode } of splitCodeAndProse(prose)) {
    body += isCode ? part : plainProse(part, { line, page, unknown });
    line += countLineBreaks(part);
  }
  return { body, unknown };
}

function withoutComments(text: string): string {
  return text.replaceAll(/\{\/\*(?:(?!\{\/\*)[\s\S]){0,20000}?\*\/\}/g, (comment) =>
    comment.replaceAll(/[^\n]/g, ""),
  );
}

function withoutStatements(text: string): string {
  let fence = "";
  let isModule = false;
  const lines = text.split("\n").map((line) => {
    const fenceBefore = fence;
    fence = findFenceOpenAfter(line, fence);
    if (fence !== "" || fenceBefore !== "") return line;
    isModule = line.trim() !== "" && (isModule || MODULE_STATEMENT.test(line));
    return isModule ? "" : line;
  });
  return lines.join("\n");
}

interface Context {
  line: number;
  page: Readonly<Record<string, unknown>>;
  /** The tags that are left out are added to this list. */
  unknown: UnknownTag[];
}

function plainProse(text: string, { line, page, unknown }: Context): string {
  let countedTo = 0;
  let currentLine = line;
  const lineAt = (at: number) => {
    currentLine += countLineBreaks(text.slice(countedTo, at));
    countedTo = at;
    return currentLine;
  };
  let out = "";
  let copiedTo = 0;
  let malformed = 0;
  const proseUpTo = (upTo: number) =>
    text
      .slice(copiedTo, upTo)
      .replaceAll(JSX_EXPRESSION, (whole: string, inner: string, at: number) => {
        if (text[copiedTo + at - 1] === "\\" || /^[#.:]/.test(inner)) return whole;
        const shown = textShownBy(inner, page);
        if (shown === null) unknown.push({ tag: whole, line: lineAt(copiedTo + at) });
        return shown ?? "";
      })
      .replaceAll(/\\([{}])/g, "$1");
  for (const { index } of text.matchAll(/<(?=[A-Za-z/>])/g)) {
    if (index < copiedTo) continue;
    const tag = tagAt(text, index);
    if (tag === null) {
      malformed += 1;
      if (malformed > MALFORMED_TAGS_MAX) break;
      continue;
    }
    out += proseUpTo(index);
    const source = text.slice(index, tag.end);
    out += tagAsMarkdown(tag, source, () =>
      unknown.push({ tag: shortened(source), line: lineAt(index) }),
    );
    out += "\n".repeat(/^[a-z]/.test(tag.name) ? 0 : countLineBreaks(source));
    copiedTo = tag.end;
  }
  return out + proseUpTo(text.length);
}

/**
 * The text that an expression shows: a literal or a value from the front matter. Null: the
 * expression is computed.
 */
function textShownBy(expression: string, page: Readonly<Record<string, unknown>>): string | null {
  if (expression.trim() === "") return "";
  const text = TEXT_IN_EXPRESSION.exec(expression);
  if (text !== null) return text[1] ?? text[2] ?? text[3] ?? "";
  const key = /^\s*(?:frontMatter|frontmatter|metadata)\.(\w+)\s*$/.exec(expression)?.[1];
  const raw = key === undefined ? undefined : page[key];
  return typeof raw === "string" || typeof raw === "number" ? String(raw) : null;
}

function tagAsMarkdown(tag: Tag, source: string, onUnknown: () => void): string {
  const { name, kind, attributes } = tag;
  if (name === "") return "";
  if (/^[a-z][\w-]*$/.test(name)) return plainElement(tag, source);
  const known = COMPONENT_CONVERTERS[name]?.(tag);
  if (known !== undefined) return known;
  if (kind === "close") return "";
  const href = attributes["href"] ?? attributes["to"];
  if (href !== undefined) return labelledLink(attributes, href);
  const label = LABEL_ATTRIBUTES.flatMap((key) => attributes[key] ?? [])[0];
  if (label !== undefined) return `**${label}**${kind === "open" ? "\n\n" : ""}`;
  if (kind === "single") onUnknown();
  return "";
}

/**
 * Converters of components that many sites use. If a converter returns undefined, the tag is handled like
 * tags of other components.
 */
const COMPONENT_CONVERTERS: Readonly<Record<string, (tag: Tag) => string | undefined>> = {
  Image: picture,
  Img: picture,
  Picture: picture,
  ThemedImage: picture,
  Link: link,
  LinkButton: link,
  Button: link,
};

function picture({ attributes: { src, alt = "" } }: Tag): string | undefined {
  return src === undefined ? undefined : `![${alt}](${src})`;
}

function link({ kind, attributes }: Tag): string | undefined {
  if (kind === "close") return "</a>";
  const href = attributes["href"] ?? attributes["to"];
  return href === undefined || kind === "single" ? undefined : `<a href="${href}">`;
}

/** A Markdown link with the label of a component, followed by the component's description. */
function labelledLink(attributes: Tag["attributes"], href: string): string {
  const label = LABEL_ATTRIBUTES.flatMap((name) => attributes[name] ?? [])[0] ?? href;
  const description = attributes["description"];
  return `[${label}](${href})${description === undefined ? "" : `: ${description}`}`;
}

/** Returns an HTML tag without the attributes whose values are computed. */
function plainElement({ name, kind, attributes }: Tag, source: string): string {
  if (kind === "close" || !source.includes("{")) return source;
  const shown = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${value.replaceAll('"', "&quot;")}"`,
  );
  return `<${name}${shown.join("")}${kind === "single" ? " /" : ""}>`;
}

const ATTRIBUTE_PATTERN = /\s*(?:([\w:.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(?=\{)))?|(?=\{))/y;

const TAG_HEAD = /<(\/?)([A-Za-z][\w.-]*)?/y;
const TAG_END = /\s*(\/?>)/y;

/** The tag that begins at a position; null: no tag begins there. */
function tagAt(text: string, start: number): Tag | null {
  TAG_HEAD.lastIndex = start;
  const [whole = "", slash = "", name = ""] = TAG_HEAD.exec(text) ?? [];
  const attributes: Record<string, string> = {};
  let at = start + whole.length;
  while (at < text.length && at - start < TAG_CHARACTERS_MAX) {
    TAG_END.lastIndex = at;
    const end = TAG_END.exec(text);
    if (end !== null) {
      const kind = end[1] === "/>" ? "single" : "open";
      return { name, kind: slash === "/" ? "close" : kind, attributes, end: at + end[0].length };
    }
    const attribute = attributeAt(text, at);
    if (attribute === null) return null;
    if (attribute.value !== undefined) attributes[attribute.key] = attribute.value;
    at = attribute.end;
  }
  return null;
}

/** Reads an attribute, such as `title="A"`, `hidden`, `size={3}` or `{...others}`. */
function attributeAt(
  text: string,
  at: number,
): { key: string; value: string | undefined; end: number } | null {
  ATTRIBUTE_PATTERN.lastIndex = at;
  const [matched = "", key = "", double, single] = ATTRIBUTE_PATTERN.exec(text) ?? [];
  const end = at + matched.length;
  const computed = text[end] === "{" ? bracesAt(text, end) : null;
  if (computed !== null) return { key, value: textIn(computed), end: end + computed.length };
  return matched === "" ? null : { key, value: double ?? single, end };
}

/** The text from an opening brace to the brace that closes it, both included. */
function bracesAt(text: string, start: number): string | null {
  let depth = 0;
  for (let at = start; at < text.length && at - start < TAG_CHARACTERS_MAX; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return null;
}

/** The first literal text in an expression: `{"a"}`, `{require("./a.png").default}`. */
function textIn(expression: string): string | undefined {
  const inner = expression.slice(1, -1);
  if (/^\s*[{[(<]|=>/.test(inner)) return undefined;
  return /["'`]([^"'`\n]*)["'`]/.exec(inner)?.[1];
}

function shortened(source: string): string {
  const [line = ""] = source.split("\n");
  return line === source && line.length <= 100 ? line : `${line.slice(0, 100)}…`;
}

/** Unindents the text within components, because Markdown would read indented text as code. */
function unindented(text: string): string {
  const lines = text.split("\n");
  const indents: number[] = [];
  let fence = "";
  let isInTag = false;
  for (const [at, line] of lines.entries()) {
    const indent = indents.at(-1) ?? 0;
    const shown = line.slice(Math.min(indent, indentOf(line)));
    lines[at] = shown;
    const fenceBefore = fence;
    fence = findFenceOpenAfter(shown, fence);
    if (fence !== "" || fenceBefore !== "") continue;
    const trimmed = line.trim();
    if (/^<\/[A-Z]/.test(trimmed)) indents.pop();
    if (!isInTag && !BEGINS_COMPONENT.test(trimmed)) continue;
    isInTag = !trimmed.endsWith(">") || trimmed.endsWith("=>");
    if (isInTag || trimmed.endsWith("/>")) continue;
    const next = lines.slice(at + 1, at + 4).find((each) => each.trim() !== "") ?? "";
    indents.push(Math.max(indent, indentOf(next)));
  }
  return lines.join("\n");
}

const BEGINS_COMPONENT = /^<[A-Z][\w.]*(?=\s|>|$)(?!.*<\/)/;
