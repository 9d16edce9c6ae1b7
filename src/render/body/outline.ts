import type { Token } from "markdown-it";
import { headingId } from "../../content/addresses/heading-id.ts";

/** Matches ids used by the page around the body, and ids of footnotes. */
export const RESERVED_ID_PATTERN =
  /^(?:main-content|menu|context|past|browse|nearest|best-match|when-to-use|quotation-of-the-day|message|key-request|claim|preview|write-to-the-editors|ask-for-a-key|enter-your-(?:claim|preview)-code|search-(?:header|page|type))$|^fn(?:ref)?(?:[-\d]|$)/;
/** Matches an id that the author states in a heading, such as `## Our history {#history}`. */
const HEADING_ID = /\s*\{#([\p{L}\p{N}_.:-]{1,200})\}\s*$/u;

/**
 * Adapts the headings of a body to its page. The highest heading becomes h2, because the page has
 * the only h1. No heading skips a level. Every heading gets an id; headings without text are
 * omitted.
 */
export function normalizeHeadings(tokens: readonly Token[]): Token[] {
  const statedIds = tokens.map((token, at) =>
    token.type === "heading_open" ? takeHeadingId(tokens[at + 1]) : null,
  );
  const open: number[] = [];
  const uniqueId = uniqueIds();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    putOnOneLine(tokens[at + 1]);
    const text = plainText(tokens[at + 1]);
    if (text === "") continue;
    const level = Number(token.tag.slice(1));
    while ((open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    const tag = `h${Math.min(open.length + 1, 6)}`;
    token.tag = tag;
    token.attrSet("id", uniqueId(statedIds[at] ?? headingId(wordsOf(tokens[at + 1]))));
    const close = tokens[at + 2];
    if (close?.type === "heading_close") close.tag = tag;
  }
  return withoutEmptyHeadings(tokens);
}

/** Removes the author's id from the text of a heading and returns it; null if there is none. */
function takeHeadingId(inline: Token | undefined): string | null {
  const last = inline?.children?.at(-1);
  const [attribute, id] = (last?.type === "text" && HEADING_ID.exec(last.content)) || [];
  if (last === undefined || attribute === undefined || id === undefined) return null;
  last.content = last.content.slice(0, -attribute.length);
  return id;
}

function withoutEmptyHeadings(tokens: readonly Token[]): Token[] {
  const isEmpty = (at: number) =>
    tokens[at]?.type === "heading_open" && plainText(tokens[at + 1]) === "";
  return tokens.filter((_, at) => !isEmpty(at) && !isEmpty(at - 1) && !isEmpty(at - 2));
}

function putOnOneLine(inline: Token | undefined): void {
  for (const child of inline?.children ?? []) {
    if (child.type !== "softbreak" && child.type !== "hardbreak") continue;
    child.type = "text";
    child.content = " ";
  }
}

/** The text without tags of raw HTML. */
function wordsOf(inline: Token | undefined): string {
  const words = (inline?.children ?? []).filter(({ type }) => type !== "html_inline");
  return words.map(({ type, content }) => (type === "image" ? "" : content)).join("");
}

function plainText(inline: Token | undefined): string {
  const pieces = (inline?.children ?? []).map((child) =>
    child.type === "image" ? "" : child.content,
  );
  return pieces.join("").trim();
}

/**
 * Returns a function that makes an id unique by adding a number if necessary. The function continues from
 * the last number used for a repeated id, because starting from 1 each time would take quadratic time.
 */
function uniqueIds(): (name: string) => string {
  const taken = new Set<string>();
  const lastCounts = new Map<string, number>();
  return (name) => {
    const wantedId = RESERVED_ID_PATTERN.test(name) ? `s-${name}` : name;
    let count = lastCounts.get(wantedId) ?? 0;
    let id = count === 0 ? wantedId : `${wantedId}-${count}`;
    while (taken.has(id)) {
      count += 1;
      id = `${wantedId}-${count}`;
    }
    lastCounts.set(wantedId, count);
    taken.add(id);
    return id;
  };
}
