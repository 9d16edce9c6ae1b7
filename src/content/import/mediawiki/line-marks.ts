import { escapeHtml } from "../wordpress/shortcodes.ts";
import type { HtmlPlaceholders } from "./html-placeholders.ts";

/** Matches links to other sites, with a text (`[https://example.org words]`) or without one. */
const ADDRESS =
  /\[?(?:https?:\/\/|ftp:\/\/|mailto:|(?<=\[)\/\/)(?:(?!&[lg]t;)[^\s[\]<>"|\u007f]){1,2000}/gi;
const WORDS_CHARACTERS_MAX = 1000;

/** Converts the inline markup of one line to HTML: bold, italics, and links to other sites. */
export function convertLineToInlineHtml(line: string, kept: HtmlPlaceholders): string {
  return withQuotes(withAddresses(line, kept));
}

function withAddresses(line: string, kept: HtmlPlaceholders): string {
  let result = "";
  let at = 0;
  for (const { 0: found, index } of line.matchAll(ADDRESS)) {
    if (index < at) continue;
    const isBracketed = found.startsWith("[");
    const after = index + found.length;
    const words = isBracketed ? wordsAfter(line, after) : null;
    if (isBracketed && words === null) continue;
    const { url, rest } = isBracketed
      ? { url: found.slice(1), rest: "" }
      : withoutPunctuation(found);
    const shown = words?.trim() || escapeHtml(url.replaceAll("&amp;", "&"));
    const href = escapeHtml(url.replaceAll("&amp;", "&"));
    const link = `${kept.keep(`<a href="${href}">`)}${words?.trim() ? shown : kept.keep(shown)}${kept.keep("</a>")}`;
    result += line.slice(at, index) + link + rest;
    at = after + (words === null ? 0 : words.length + 1);
  }
  return result + line.slice(at);
}

/** The text before the closing bracket; null: there is no closing bracket. */
function wordsAfter(line: string, from: number): string | null {
  const text = line.slice(from, from + WORDS_CHARACTERS_MAX);
  const end = text.indexOf("]");
  return end === -1 ? null : text.slice(0, end);
}

/** Splits off punctuation at the end of an address, because it belongs to the sentence. */
function withoutPunctuation(url: string): { url: string; rest: string } {
  const rest = /[.,;:!?')]{1,20}$/.exec(url)?.[0] ?? "";
  const isInParentheses = rest.startsWith(")") && url.includes("(");
  const length = isInParentheses ? 1 : 0;
  const cut = url.length - rest.length + length;
  return { url: url.slice(0, cut), rest: url.slice(cut) };
}

/** The elements that a sequence of apostrophes opens or closes. */
type Style = "i" | "b" | "bi";

/**
 * Converts bold (`'''`) and italics (`''`) to HTML. Elements that are still open at the end of the line are
 * closed.
 */
function withQuotes(line: string): string {
  const pieces = line.split(/('{2,})/);
  const marks = pieces.map((piece, at) => (at % 2 === 0 ? null : styleOf(piece.length)));
  unpairBold(pieces, marks);
  const open: ("i" | "b")[] = [];
  let html = "";
  for (const [at, piece] of pieces.entries()) {
    const style = marks[at] ?? null;
    if (style === null) html += piece;
    else {
      const extra = piece.length - (style === "bi" ? 5 : style === "b" ? 3 : 2);
      html += "'".repeat(Math.max(extra, 0));
      html += toggled(style, open);
    }
  }
  return (
    html +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join("")
  );
}

function styleOf(apostrophes: number): Style {
  if (apostrophes === 2) return "i";
  return apostrophes < 5 ? "b" : "bi";
}

/**
 * Opens or closes elements. To keep elements nested, closes the inner elements first and reopens them
 * afterwards.
 */
function toggled(style: Style, open: ("i" | "b")[]): string {
  let html = "";
  for (const name of style === "bi" ? orderOf(open) : ([style] as const)) {
    if (!open.includes(name)) {
      open.push(name);
      html += `<${name}>`;
      continue;
    }
    const reopened: ("i" | "b")[] = [];
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      html += `</${last}>`;
      if (last === name) break;
      reopened.push(last);
    }
    for (const again of reopened.reverse()) {
      open.push(again);
      html += `<${again}>`;
    }
  }
  return html;
}

/** The order in which bold and italics are closed if they end together: the last opened is closed first. */
function orderOf(open: readonly ("i" | "b")[]): ("i" | "b")[] {
  return open.at(-1) === "b" ? ["b", "i"] : ["i", "b"];
}

/**
 * If both bold and italics would stay open, reads three apostrophes as an apostrophe and italics, as in
 * `''L'''amour''`. Prefers three apostrophes after a word of a single letter.
 */
function unpairBold(pieces: string[], marks: (Style | null)[]): void {
  const count = (style: "i" | "b") =>
    marks.filter((mark) => mark === style || mark === "bi").length % 2;
  if (count("i") === 0 || count("b") === 0) return;
  const bolds = marks.flatMap((mark, at) => (mark === "b" && pieces[at]?.length === 3 ? [at] : []));
  const after = (pattern: RegExp) => bolds.find((at) => pattern.test(pieces[at - 1] ?? ""));
  const chosen = after(/(?:^|\s)\S$/) ?? after(/\S$/) ?? bolds[0];
  if (chosen === undefined) return;
  marks[chosen] = "i";
}
