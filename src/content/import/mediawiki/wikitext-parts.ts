/** A text, a template, a parameter of a template, or an extension element. */
export type WikitextPart = string | TemplateCall | TemplateParameter | ExtensionElement;

/** A call of a template: `{{name|value|key=value}}`. */
export interface TemplateCall {
  kind: "template";
  name: readonly WikitextPart[];
  values: readonly TemplateValue[];
}

export interface TemplateValue {
  /** The name of the parameter; null: the value is positional. */
  key: readonly WikitextPart[] | null;
  value: readonly WikitextPart[];
}

/** A parameter in the text of a template: `{{{name|default}}}`. */
export interface TemplateParameter {
  kind: "parameter";
  name: readonly WikitextPart[];
  /** The default value; null: there is none. */
  fallback: readonly WikitextPart[] | null;
}

/** An element whose content is not wikitext (`<nowiki>`), or is shown elsewhere (`<ref>`). */
export interface ExtensionElement {
  kind: "extension";
  name: string;
  /** The attributes as written: ` name="a"`. */
  attributes: string;
  /** The text between the tags; null: the tag closes itself. */
  content: string | null;
}

const EXTENSIONS =
  "nowiki|pre|syntaxhighlight|source|math|chem|ref|references|gallery|poem|score|timeline|templatestyles|imagemap|inputbox|graph|mapframe|maplink|categorytree|dynamicpagelist|html|hiero|section|indicator|rss|youtube";
const MARK = new RegExp(
  `\\{\\{+|\\}\\}+|\\[\\[|\\]\\]|[|=]|<!--|<(${EXTENSIONS})(?=[\\s/>])`,
  "gi",
);
/** Limit on nested braces and brackets; deeper ones are read as text. */
const DEPTH_MAX = 60;

/** Limit on the length of a tag; longer tags are read as text. */
const TAG_CHARACTERS_MAX = 2000;

/** Open braces or brackets, whose end is not read yet. */
interface OpenBrackets {
  /**
   * `{` for a template or parameter, `[` for a link, empty for the whole text. In a link, `|` and
   * `=` are text.
   */
  kind: "{" | "[" | "";
  braces: number;
  finished: Field[];
  /** The key of the current field; null until the first `=` of the field. */
  key: WikitextPart[] | null;
  /** The value of the current field, or the content of the brackets. */
  current: WikitextPart[];
}

interface Field {
  key: WikitextPart[] | null;
  value: WikitextPart[];
}

/**
 * Splits wikitext into its parts, in linear time. Unmatched braces stay text; comments are left
 * out.
 */
export function parseWikitext(text: string): WikitextPart[] {
  const reader = new PartReader(text);
  return reader.parts();
}

class PartReader {
  readonly #text: string;
  readonly #stack: OpenBrackets[] = [opened("", 0)];
  /** Names of elements that are known to have no closing tag in the rest of the text. */
  readonly #unclosed = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parts(): WikitextPart[] {
    const mark = new RegExp(MARK);
    for (;;) {
      mark.lastIndex = this.#at;
      const found = mark.exec(this.#text);
      if (found === null) break;
      this.#top().current.push(this.#text.slice(this.#at, found.index));
      this.#at = found.index;
      this.#read(found[0], found[1]);
    }
    this.#top().current.push(this.#text.slice(this.#at));
    return withJoinedTexts(this.#stack.flatMap(asWritten));
  }

  #top(): OpenBrackets {
    return this.#stack.at(-1) ?? opened("", 0);
  }

  #read(mark: string, element: string | undefined): void {
    if (element !== undefined) {
      this.#readExtension(element.toLowerCase(), mark);
      return;
    }
    this.#at += mark.length;
    if (mark === "<!--") this.#skipComment();
    else if (mark.startsWith("{")) this.#open("{", mark.length);
    else if (mark === "[[") this.#open("[", 0);
    else if (mark === "]]") this.#closeBrackets();
    else if (mark.startsWith("}")) this.#closeBraces(mark.length);
    else this.#divide(mark);
  }

  #open(kind: "{" | "[", braces: number): void {
    const top = this.#top();
    const isFull = this.#stack.length > DEPTH_MAX;
    if (kind === "[" || isFull) top.current.push(kind === "[" ? "[[" : "{".repeat(braces));
    if (isFull) return;
    this.#stack.push({ ...opened(kind, braces), ...(kind === "[" && { current: top.current }) });
  }

  #divide(mark: string): void {
    const top = this.#top();
    if (top.kind !== "{") top.current.push(mark);
    else if (mark === "|") {
      top.finished.push({ key: top.key, value: top.current });
      top.key = null;
      top.current = [];
    } else if (top.finished.length === 0 || top.key !== null) top.current.push(mark);
    else {
      top.key = top.current;
      top.current = [];
    }
  }

  #closeBrackets(): void {
    const top = this.#top();
    top.current.push("]]");
    if (top.kind === "[") this.#stack.pop();
  }

  #closeBraces(written: number): void {
    let braces = written;
    while (braces >= 2 && this.#top().kind === "{") {
      const top = this.#top();
      const matched = Math.min(3, top.braces, braces);
      const node = nodeOf(matched, [...top.finished, { key: top.key, value: top.current }]);
      braces -= matched;
      this.#stack.pop();
      const left = top.braces - matched;
      if (left >= 2) this.#stack.push(opened("{", left));
      else if (left === 1) this.#top().current.push("{");
      this.#top().current.push(node);
    }
    this.#top().current.push("}".repeat(braces));
  }

  /** Skips a comment, and the line break after it if nothing else is on the line. */
  #skipComment(): void {
    const start = this.#at - 4;
    const end = this.#text.indexOf("-->", this.#at);
    this.#at = end === -1 ? this.#text.length : end + 3;
    if (start > 0 && this.#text[start - 1] !== "\n") return;
    if (this.#text[this.#at] === "\n") this.#at += 1;
  }

  #readExtension(name: string, mark: string): void {
    const start = this.#at;
    const tag = this.#text.slice(start, start + TAG_CHARACTERS_MAX).split(">", 1)[0] ?? "";
    const tagEnd = start + tag.length;
    const isTag = this.#text[tagEnd] === ">";
    const isShort = isTag && tag.endsWith("/");
    const end = isShort || !isTag ? null : this.#endOf(name, tagEnd);
    if (!isShort && end === null) {
      this.#top().current.push(mark);
      this.#at += mark.length;
      return;
    }
    const attributes = tag.slice(mark.length).replace(/\/$/, "");
    const content = end === null ? null : this.#text.slice(tagEnd + 1, end.from);
    this.#top().current.push({ kind: "extension", name, attributes, content });
    this.#at = end?.to ?? tagEnd + 1;
  }

  #endOf(name: string, after: number): { from: number; to: number } | null {
    if (this.#unclosed.has(name)) return null;
    const closing = new RegExp(`</${name}\\s{0,20}>`, "gi");
    closing.lastIndex = after;
    const end = closing.exec(this.#text);
    if (end === null) this.#unclosed.add(name);
    return end === null ? null : { from: end.index, to: closing.lastIndex };
  }
}

function opened(kind: OpenBrackets["kind"], braces: number): OpenBrackets {
  return { kind, braces, finished: [], key: null, current: [] };
}

/** Joins adjacent texts into one part. */
function withJoinedTexts(parts: readonly WikitextPart[]): WikitextPart[] {
  const joinedParts: WikitextPart[] = [];
  let texts: string[] = [];
  for (const part of [...parts, null]) {
    if (typeof part === "string") {
      texts.push(part);
      continue;
    }
    const text = texts.join("");
    if (text !== "") joinedParts.push(text);
    texts = [];
    if (part !== null) joinedParts.push(part);
  }
  return joinedParts;
}

function nodeOf(braces: number, fields: readonly Field[]): TemplateCall | TemplateParameter {
  const [first, ...rest] = fields.map(({ key, value }) => ({
    key: key && withJoinedTexts(key),
    value: withJoinedTexts(value),
  }));
  const name = first?.value ?? [];
  if (braces === 2) return { kind: "template", name, values: rest };
  const [fallback] = rest;
  return { kind: "parameter", name, fallback: fallback === undefined ? null : joined(fallback) };
}

/**
 * The parts of unclosed braces, with the braces as text. Empty for an unclosed link, because its parts
 * already belong to the enclosing brackets.
 */
function asWritten(open: OpenBrackets): WikitextPart[] {
  if (open.kind === "[") return [];
  const fields = [...open.finished, { key: open.key, value: open.current }];
  const start = "{".repeat(open.braces);
  return [start, ...fields.flatMap((field, at) => [at === 0 ? "" : "|", ...joined(field)])];
}

function joined({ key, value }: Field): WikitextPart[] {
  return key === null ? value : [...key, "=", ...value];
}
