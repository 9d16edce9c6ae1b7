/** A value of TOML. Dates stay text. */
type Value = string | number | boolean | Value[] | Table;
interface Table {
  [key: string]: Value;
}

export type TomlRead =
  | { values: Record<string, unknown>; lines: ReadonlyMap<string, number> }
  | { fault: string; line: number };

const DEPTH_MAX = 50;
const SPACE = /[ \t]*/y;
/** White space, line ends and comments, between the values of a list. */
const GAP = /(?:[ \t\n]|#[^\n]*)*/y;
const KEY = /[ \t]*(?:([\w-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')[ \t]*/y;
const NUMBER = /[+-]?(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]+)?(?:e[+-]?\d+)?|inf|nan)(?![\w:.-])/iy;
const DATE =
  /\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?/y;
const WORD = /true|false/y;
const TEXTS: readonly { form: RegExp; isLiteral: boolean }[] = [
  { form: /"""\n?((?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{0,2})"""/y, isLiteral: false },
  { form: /'''\n?((?:[^']|'{1,2}(?!'))*)'''/y, isLiteral: true },
  { form: /"((?:[^"\\\n]|\\.)*)"/y, isLiteral: false },
  { form: /'([^'\n]*)'/y, isLiteral: true },
];
const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001B",
};

/**
 * Reads TOML, as front matter and settings of Hugo and Zola have it. Lenient where a mistake costs
 * nothing: a key stated twice has its last value.
 *
 * @see https://toml.io/en/v1.0.0
 */
export function readToml(source: string): TomlRead {
  const reader = new TomlReader(source.replace(/\r\n?/g, "\n"));
  return reader.read();
}

class TomlFault extends Error {}

class TomlReader {
  readonly #text: string;
  #at = 0;
  readonly #root: Table = table();
  readonly #lines = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): TomlRead {
    try {
      let home = this.#root;
      for (this.#take(GAP); this.#at < this.#text.length; this.#take(GAP)) {
        if (this.#text[this.#at] === "[") home = this.#header();
        else this.#pair(home, home === this.#root);
        this.#endOfLine();
      }
      return { values: this.#root, lines: this.#lines };
    } catch (error) {
      if (!(error instanceof TomlFault)) throw error;
      return { fault: error.message, line: this.#line() };
    }
  }

  #header(): Table {
    const isList = this.#text.startsWith("[[", this.#at);
    const line = this.#line();
    this.#at += isList ? 2 : 1;
    const keys = this.#keys();
    this.#expect(isList ? "]]" : "]");
    this.#lines.set(keys[0] ?? "", this.#lines.get(keys[0] ?? "") ?? line);
    const last = keys.pop() ?? "";
    const parent = this.#below(this.#root, keys);
    if (!isList) return this.#below(parent, [last]);
    const before = parent[last];
    const list = Array.isArray(before) ? before : [];
    const added = table();
    parent[last] = [...list, added];
    return added;
  }

  #pair(home: Table, isTop: boolean, depth = 0): void {
    const line = this.#line();
    const keys = this.#keys();
    this.#expect("=");
    if (isTop) this.#lines.set(keys[0] ?? "", line);
    const last = keys.pop() ?? "";
    this.#below(home, keys)[last] = this.#value(depth);
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      const found = this.#match(KEY);
      if (found === null) throw new TomlFault("a key is expected");
      keys.push(found[1] ?? (found[2] === undefined ? (found[3] ?? "") : unescaped(found[2])));
      if (keys.length > DEPTH_MAX) throw new TomlFault("it nests too deep");
    } while (this.#skip("."));
    return keys;
  }

  #below(from: Table, keys: readonly string[]): Table {
    let home = from;
    for (const key of keys) {
      const stated = home[key];
      const inner = Array.isArray(stated) ? stated.at(-1) : stated;
      if (inner === undefined) {
        const added = table();
        home[key] = added;
        home = added;
      } else if (isTable(inner)) home = inner;
      else throw new TomlFault(`"${key}" has a value already`);
    }
    return home;
  }

  #value(depth: number): Value {
    if (depth > DEPTH_MAX) throw new TomlFault("it nests too deep");
    this.#take(SPACE);
    for (const { form, isLiteral } of TEXTS) {
      const found = this.#match(form);
      if (found !== null) return isLiteral ? (found[1] ?? "") : unescaped(found[1] ?? "");
    }
    if (this.#skip("[")) return this.#list(depth);
    if (this.#skip("{")) return this.#inlineTable(depth);
    const date = this.#match(DATE);
    if (date !== null) return date[0].replace(/^(\d{4}-\d{2}-\d{2})[t ]/, "$1T");
    const word = this.#match(WORD);
    if (word !== null) return word[0] === "true";
    const number = this.#match(NUMBER);
    if (number !== null) return Number(number[0].replaceAll("_", "").replace(/inf$/, "Infinity"));
    throw new TomlFault("a value is expected");
  }

  #list(depth: number): Value[] {
    const values: Value[] = [];
    for (this.#take(GAP); !this.#skip("]"); this.#take(GAP)) {
      values.push(this.#value(depth + 1));
      this.#take(GAP);
      if (!this.#skip(",") && this.#text[this.#at] !== "]")
        throw new TomlFault("a list has no end");
    }
    return values;
  }

  #inlineTable(depth: number): Table {
    const home = table();
    for (this.#take(GAP); !this.#skip("}"); this.#take(GAP)) {
      this.#pair(home, false, depth + 1);
      this.#take(GAP);
      if (!this.#skip(",") && this.#text[this.#at] !== "}")
        throw new TomlFault("a table has no end");
    }
    return home;
  }

  #endOfLine(): void {
    this.#take(SPACE);
    const sign = this.#text[this.#at];
    if (sign !== undefined && sign !== "\n" && sign !== "#")
      throw new TomlFault("a line has two values");
  }

  #match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #take(form: RegExp): void {
    this.#match(form);
  }

  #skip(sign: string): boolean {
    const isNext = this.#text.startsWith(sign, this.#at);
    if (isNext) this.#at += sign.length;
    return isNext;
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) throw new TomlFault(`"${sign}" is expected`);
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }
}

/** Without a prototype, as keys are of any name. */
function table(): Table {
  return Object.create(null);
}

function isTable(value: Value): value is Table {
  return typeof value === "object" && !Array.isArray(value);
}

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u([\da-f]{4})|U([\da-f]{8})|(\s*\n\s*)|(.))/gis,
    (_whole, short?: string, long?: string, lineEnd?: string, sign = "") => {
      if (lineEnd !== undefined) return "";
      const code = Number.parseInt(short ?? long ?? "", 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      return ESCAPED[sign] ?? sign;
    },
  );
}
