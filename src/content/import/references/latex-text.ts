import {
  APPEARANCE_COMMANDS,
  LATEX_ACCENTS,
  LATEX_SYMBOLS,
  QUOTING_COMMANDS,
  superOrSubscript,
} from "./latex-commands.ts";
import { collapseWhitespace } from "./reference-entry.ts";

/** Limit on nested braces, which no real bibliography reaches. */
const DEPTH_MAX = 50;

/**
 * Converts a BibTeX field to plain text: accents and symbols become characters, braces and commands
 * are removed. An unknown command without an argument is not changed.
 *
 * @returns null if braces or commands nest too deep.
 */
export function convertLatexToText(raw: string): string | null {
  if (!/[\\{}$~`'-]/.test(raw)) return collapseWhitespace(raw);
  if (nestsTooDeep(raw)) return null;
  const reader = new LatexReader(raw);
  const text = reader.text();
  return reader.isTooDeep
    ? null
    : collapseWhitespace(text.replaceAll("\u00a0", " ").normalize("NFC"));
}

/** The text of a field that contains an address or a number. Converts only escaped characters. */
export function unescapeVerbatimField(raw: string): string {
  return collapseWhitespace(raw.replace(/^\s*\\url\s*\{(.*)\}\s*$/s, "$1"))
    .replace(/\\([_&%#~$])(?:\{\})?|\{\\([_&%#])\}/g, "$1$2")
    .replace(/\{\\textasciitilde\}|\\textasciitilde(?:\{\})?/g, "~")
    .replace(/^\{(.*)\}$/, "$1");
}

function nestsTooDeep(raw: string): boolean {
  let depth = 0;
  for (const [character] of raw.matchAll(/\\.|[{}]/gs)) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

class LatexReader {
  readonly #raw: string;
  #at = 0;
  #isFormula = false;
  #depth = 0;
  /** Whether arguments nest beyond the limit; the text is then incomplete. */
  isTooDeep = false;

  constructor(raw: string) {
    this.#raw = raw;
  }

  /** Reads up to the end of the group or of the text. */
  text(): string {
    const pieces: string[] = [];
    while (this.#at < this.#raw.length) {
      const piece = this.#piece();
      if (piece === null) break;
      pieces.push(piece);
    }
    return pieces.join("");
  }

  /** Reads the next text, group or command as plain text; null at the end of a group. */
  #piece(): string | null {
    const character = this.#raw[this.#at] ?? "";
    const plain = this.#match(/[^\\{}$~`'^_-]+/y);
    if (plain !== "") return plain;
    this.#at += 1;
    switch (character) {
      case "{":
        return this.text();
      case "}":
        return null;
      case "\\":
        return this.#command();
      case "$":
        this.#isFormula = !this.#isFormula;
        return "";
      case "~":
        return " ";
      case "^":
      case "_":
        return this.#isFormula ? this.#shifted(character) : character;
      default:
        return this.#ligature(character);
    }
  }

  #ligature(character: string): string {
    const more =
      character === "-" ? this.#match(/--?/y) : this.#match(character === "`" ? /`/y : /'/y);
    const length = more.length + 1;
    if (character === "-") return ["-", "–", "—"][length - 1] ?? character;
    if (character === "`") return length === 2 ? "“" : "‘";
    return length === 2 ? "”" : "'";
  }

  #shifted(character: string): string {
    const braced = this.#match(/\{[\d+-]*\}/y);
    const digits = braced === "" ? this.#match(/\d/y) : braced.slice(1, -1);
    return digits === "" ? "" : superOrSubscript(character, digits);
  }

  #command(): string {
    const name = this.#match(/[A-Za-z]+\*?/y) || this.#next();
    if (/^[A-Za-z]{2}/.test(name) || !(name in LATEX_ACCENTS)) return this.#namedCommand(name);
    if (/^[A-Za-z]$/.test(name) && !/[\s{\\]/.test(this.#raw[this.#at] ?? "")) return `\\${name}`;
    return this.#accented(LATEX_ACCENTS[name] ?? "");
  }

  #namedCommand(name: string): string {
    if (name === "\\") return " ";
    if (/^[-/@!]$/.test(name)) return "";
    if (/^[,;:\s]$/.test(name)) return " ";
    if (/^[\W_]$/.test(name)) return /[()[\]]/.test(name) ? "" : name;
    const character = LATEX_SYMBOLS.get(name);
    this.#match(character === undefined ? /\s*/y : /\s+|\{\}/y);
    if (character !== undefined) return character;
    if (QUOTING_COMMANDS.has(name)) return `“${this.#argument()}”`;
    if (name === "href") this.#argument();
    const isGroup = this.#raw[this.#at] === "{";
    return APPEARANCE_COMMANDS.has(name) || isGroup ? "" : `\\${name} `;
  }

  #accented(accent: string): string {
    const [base = "", ...rest] = this.#argument();
    const plain = base === "ı" ? "i" : base === "ȷ" ? "j" : base;
    return `${plain}${plain === "" ? "" : accent}${rest.join("")}`;
  }

  #argument(): string {
    this.isTooDeep ||= this.#depth >= DEPTH_MAX;
    if (this.isTooDeep) return "";
    this.#depth += 1;
    const argument = this.#nextArgument();
    this.#depth -= 1;
    return argument;
  }

  /** Reads an argument: a group, a command or a single character. */
  #nextArgument(): string {
    this.#match(/\s+/y);
    const character = this.#next();
    if (character === "{") return this.text();
    if (character === "}") {
      this.#at -= 1;
      return "";
    }
    return character === "\\" ? this.#command() : character;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#raw.codePointAt(this.#at) ?? 0x20);
    this.#at += character.length;
    return character;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#raw)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}
