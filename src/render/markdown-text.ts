/**
 * Escapes plain text for any position in Markdown. Collapses white space, so that the text stays on one
 * line.
 */
export function escapeMarkdown(text: string): string {
  return escapeLineStart(escapeInline(collapseWhiteSpace(text).trimStart()));
}

/**
 * Collapses each sequence of white-space characters into one space. The pattern skips single spaces,
 * which need no change.
 */
export function collapseWhiteSpace(text: string): string {
  return text.replaceAll(/[^\S ]\s*| \s+/g, " ");
}

const MARKDOWN_CHARACTER = /[\\`*[\]~|<&_]/;

/**
 * Escapes text within a line. Unlike `escapeMarkdown`, does not collapse white space, because spaces at
 * the start and end of the text matter.
 */
export function escapeInline(text: string): string {
  if (!MARKDOWN_CHARACTER.test(text)) return text;
  return text
    .replaceAll(/[\\`*[\]~|]|<(?=[a-z/!?])|&(?=#?\w+;)/gi, "\\$&")
    .replaceAll(/_/g, (match, at: number) => (isInsideWord(text, at) ? match : `\\${match}`));
}

/** Escapes characters that would start a heading, list, quotation, table or rule. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(#{1,6}(?=\s|$)|[+-](?=[\s:|\\-]|$)|>|=+\s*$|:(?=\s|-|$))/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

/** Escapes a URL for the parentheses of a Markdown link. */
export function escapeLinkDestination(address: string): string {
  const encoded = address
    .replaceAll(/[\s<>\\"|]/g, (character) => encodeURIComponent(character))
    .replaceAll(/&(?=#?\w+;)/g, "&amp;");
  return hasBalancedBrackets(encoded) ? encoded : `<${encoded}>`;
}

/** A code span with a fence longer than any sequence of backticks in the code. */
export function formatCodeSpan(code: string): string {
  const fence = "`".repeat(longestRunLength(code, "`") + 1);
  const isStripped = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/.test(code);
  const padded = isStripped || /^`|`$/.test(code) ? ` ${code} ` : code;
  return fence + padded + fence;
}

export function formatCodeBlock(code: string, info: string): string {
  const fence = "`".repeat(Math.max(3, longestRunLength(code, "`") + 1));
  const body = code.endsWith("\n") || code === "" ? code : `${code}\n`;
  return `${fence}${info.replaceAll(/[`\s]+/g, " ").trim()}\n${body}${fence}`;
}

/** A YAML scalar in double quotes, on one line. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isInsideWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && /[\p{L}\p{N}]/u.test(text[at + 1] ?? "");
}

export function longestRunLength(text: string, character: string): number {
  let longest = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at)) {
    const start = at;
    while (text[at] === character) at += 1;
    longest = Math.max(longest, at - start);
  }
  return longest;
}

function hasBalancedBrackets(address: string): boolean {
  let open = 0;
  for (const character of address) {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
