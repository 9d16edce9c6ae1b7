import { ACCENTS, APPEARANCE_COMMANDS, QUOTES, SYMBOLS, shiftedDigits } from "./latex-signs.ts";
import { oneLine } from "./reference-entry.ts";

/** Deeper than any text of a bibliography nests. */
const DEPTH_MAX = 50;

/**
 * Converts a BibTeX field to plain text: accents and symbols become characters, braces and commands
 * are removed. An unknown command without an argument stays.
 *
 * @returns null if braces or commands nest too deep.
 */
export function latexText(raw: string): string | null {
  if (!/[\\{}$~`'-]/.test(raw)) return oneLine(raw);
  if (nestsTooDeep(raw)) return null;
  const reading = new LatexReading(raw);
  const text = reading.text();
  return reading.isTooDeep ? null : oneLine(text.replaceAll("\u00a0", " ").normalize("NFC"));
}

/** The text of a field with an address or number, where only special characters are unescaped. */
export function verbatimText(raw: string): string {
  return oneLine(raw.replace(/^\s*\\url\s*\{(.*)\}\s*$/s, "$1"))
    .replace(/\\([_&%#~$])(?:\{\})?|\{\\([_&%#])\}/g, "$1$2")
    .replace(/\{\\textasciitilde\}|\\textasciitilde(?:\{\})?/g, "~")
    .replace(/^\{(.*)\}$/, "$1");
}

function nestsTooDeep(raw: string): boolean {
  let depth = 0;
  for (const [sign] of raw.matchAll(/\\.|[{}]/gs)) {
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

class LatexReading {
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

  /** The next piece as plain text; null at the end of a group. */
  #piece(): string | null {
    const sign = this.#raw[this.#at] ?? "";
    const plain = this.#match(/[^\\{}$~`'^_-]+/y);
    if (plain !== "") return plain;
    this.#at += 1;
    switch (sign) {
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
        return this.#isFormula ? this.#shifted(sign) : sign;
      default:
        return this.#ligature(sign);
    }
  }

  #ligature(sign: string): string {
    const more = sign === "-" ? this.#match(/--?/y) : this.#match(sign === "`" ? /`/y : /'/y);
    const length = more.length + 1;
    if (sign === "-") return ["-", "–", "—"][length - 1] ?? sign;
    if (sign === "`") return length === 2 ? "“" : "‘";
    return length === 2 ? "”" : "'";
  }

  #shifted(sign: string): string {
    const braced = this.#match(/\{[\d+-]*\}/y);
    const digits = braced === "" ? this.#match(/\d/y) : braced.slice(1, -1);
    return digits === "" ? "" : shiftedDigits(sign, digits);
  }

  #command(): string {
    const name = this.#match(/[A-Za-z]+\*?/y) || this.#next();
    if (/^[A-Za-z]{2}/.test(name) || !(name in ACCENTS)) return this.#named(name);
    if (/^[A-Za-z]$/.test(name) && !/[\s{\\]/.test(this.#raw[this.#at] ?? "")) return `\\${name}`;
    return this.#accented(ACCENTS[name] ?? "");
  }

  #named(name: string): string {
    if (name === "\\") return " ";
    if (/^[-/@!]$/.test(name)) return "";
    if (/^[,;:\s]$/.test(name)) return " ";
    if (/^\W$/.test(name)) return /[()[\]]/.test(name) ? "" : name;
    const sign = SYMBOLS.get(name);
    this.#match(sign === undefined ? /\s*/y : /\s+|\{\}/y);
    if (sign !== undefined) return sign;
    if (QUOTES.has(name)) return `“${this.#argument()}”`;
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
    const sign = this.#next();
    if (sign === "{") return this.text();
    if (sign === "}") {
      this.#at -= 1;
      return "";
    }
    return sign === "\\" ? this.#command() : sign;
  }

  #next(): string {
    const sign = String.fromCodePoint(this.#raw.codePointAt(this.#at) ?? 0x20);
    this.#at += sign.length;
    return sign;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#raw)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}
