import { countLineBreaks } from "../../lines.ts";

/** A literal value in a JavaScript settings file. Computed values are `other`. */
export type ScriptLiteral =
  | { kind: "text"; text: string; line: number }
  | { kind: "list"; values: readonly ScriptLiteral[]; line: number }
  | { kind: "object"; values: ReadonlyMap<string, ScriptLiteral>; line: number }
  | { kind: "other"; line: number };

const DEPTH_MAX = 20;
const CHARACTERS_MAX = 200_000;
// These patterns limit the length of comments and strings, because unterminated ones would be slow to match.
const BLANKS_AND_COMMENTS = /(?:\s|\/\/[^\n]*|\/\*[\s\S]{0,2000}?\*\/)*/y;
const STRING_LITERAL =
  /"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'|`([^`\\$]{0,2000})`/y;
const OBJECT_KEY = /([\p{L}_$][\p{L}\p{Nd}_$]*)|"([^"\\\n]*)"|'([^'\\\n]*)'/uy;
const NEXT_TOKEN =
  /"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\]|\\.){0,2000}`|\/\/[^\n]*|\/\*[\s\S]{0,2000}?\*\/|[[\](){},]/g;

/**
 * Reads the literal value at a position in a script without running the script. Numbers, names,
 * calls and conditions are returned as `other`.
 */
export function parseLiteralAt(script: string, start: number): ScriptLiteral {
  return new LiteralReader(script.slice(0, start + CHARACTERS_MAX), start).value(0);
}

class LiteralReader {
  readonly #text: string;
  #at: number;
  #line = 1;
  #countedTo = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  value(depth: number): ScriptLiteral {
    this.#match(BLANKS_AND_COMMENTS);
    const line = this.#lineHere();
    const start = this.#text[this.#at];
    if (depth < DEPTH_MAX && start === "[")
      return this.#literalOrOther({ kind: "list", values: this.#list(depth), line });
    if (depth < DEPTH_MAX && start === "{")
      return this.#literalOrOther({ kind: "object", values: this.#object(depth), line });
    const text = this.#match(STRING_LITERAL);
    if (text !== null) {
      const [, double, single, template] = text;
      const plain = (double ?? single ?? template ?? "").replaceAll(/\\(.)/g, "$1");
      return this.#literalOrOther({ kind: "text", text: plain, line });
    }
    this.#skip();
    return { kind: "other", line };
  }

  #list(depth: number): ScriptLiteral[] {
    const values: ScriptLiteral[] = [];
    this.#at += 1;
    while (!this.#closes("]")) {
      values.push(this.value(depth + 1));
      if (!this.#skipComma()) break;
    }
    return values;
  }

  #object(depth: number): Map<string, ScriptLiteral> {
    const values = new Map<string, ScriptLiteral>();
    this.#at += 1;
    while (!this.#closes("}")) {
      const [, name, double, single] = this.#match(OBJECT_KEY) ?? [];
      const key = name ?? double ?? single;
      this.#match(BLANKS_AND_COMMENTS);
      if (key !== undefined && this.#text[this.#at] === ":") {
        this.#at += 1;
        values.set(key, this.value(depth + 1));
      } else this.#skip();
      if (!this.#skipComma()) break;
    }
    return values;
  }

  #closes(bracket: string): boolean {
    this.#match(BLANKS_AND_COMMENTS);
    const isEnd = this.#at >= this.#text.length;
    if (this.#text[this.#at] !== bracket) return isEnd;
    this.#at += 1;
    return true;
  }

  /** Skips a comma. Returns false if neither a comma nor a closing bracket follows. */
  #skipComma(): boolean {
    this.#match(BLANKS_AND_COMMENTS);
    const next = this.#text[this.#at];
    if (next === ",") this.#at += 1;
    return next === "," || next === "]" || next === "}";
  }

  /** Returns the literal, or `other` if it is only part of an expression, as in `"a" + b`. */
  #literalOrOther(literal: ScriptLiteral): ScriptLiteral {
    this.#match(BLANKS_AND_COMMENTS);
    const next = this.#text[this.#at];
    if (next === undefined || /[,\]})\n;]/.test(next)) return literal;
    if (/^(?:as|satisfies)\b/.test(this.#text.slice(this.#at, this.#at + 10))) {
      this.#skip();
      return literal;
    }
    this.#skip();
    return { kind: "other", line: literal.line };
  }

  /** Skips an expression, up to the comma or bracket that ends it. */
  #skip(): void {
    let depth = 0;
    NEXT_TOKEN.lastIndex = this.#at;
    for (
      let found = NEXT_TOKEN.exec(this.#text);
      found !== null;
      found = NEXT_TOKEN.exec(this.#text)
    ) {
      const [token] = found;
      const isEnd = depth === 0 && /^[,\]})]$/.test(token);
      if (isEnd) {
        this.#at = found.index;
        return;
      }
      if (/^[[({]$/.test(token)) depth += 1;
      if (/^[\])}]$/.test(token)) depth -= 1;
    }
    this.#at = this.#text.length;
  }

  /**
   * The number of the current line. Counts only the lines since the previous call, because the position only
   * increases.
   */
  #lineHere(): number {
    this.#line += countLineBreaks(this.#text.slice(this.#countedTo, this.#at));
    this.#countedTo = this.#at;
    return this.#line;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}
