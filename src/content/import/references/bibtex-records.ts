import type { Wording } from "../../../errors.ts";

/**
 * A piece of a raw value: a text in braces or quotes, or a bare name or number. In a `.bib` file,
 * `#` joins the pieces of a value.
 */
export interface BibtexPiece {
  form: "text" | "name";
  text: string;
}

export interface BibtexField {
  name: string;
  line: number;
  pieces: readonly BibtexPiece[];
}

/** An entry of a `.bib` file with its raw values. */
export interface BibtexRecord {
  type: string;
  key: string;
  line: number;
  fields: readonly BibtexField[];
  /** Faults that did not prevent reading the entry. */
  warnings: readonly { line: number; message: Wording }[];
}

export type BibtexRecordOrError = BibtexRecord | { fault: Wording; line: number };

const FIELDS_MAX = 500;

export function hasTitle(record: BibtexRecord | undefined): boolean {
  return record?.fields.some(({ name }) => name === "title" || name === "subtitle") ?? false;
}

/**
 * Yields the entries of a `.bib` file. After a malformed entry, continues with the next `@` at the
 * beginning of a line.
 */
export function* parseBibtexRecords(text: string): Generator<BibtexRecordOrError> {
  const reader = new BibtexReader(text);
  for (let read = reader.next(); read !== null; read = reader.next()) yield read;
}

class Fault extends Error {
  readonly wording: Wording;

  constructor(wording: Wording) {
    super(wording.en);
    this.wording = wording;
  }
}

/** A line that starts an entry, in a form that does not occur within a value. */
const ENTRY_START =
  /^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][ \t]*(?:[^\s{}(),="#%]+[ \t]*(?:,|$)|[A-Za-z]+[ \t]*=)/gm;

class BibtexReader {
  readonly #text: string;
  readonly #starts: Iterator<RegExpExecArray>;
  #at = 0;
  #line = 1;
  #countedTo = 0;
  /** Start of the next entry; no value of this entry extends beyond it. */
  #end = 0;
  /** The last result of `#startAfter`, which must be called with ascending positions. */
  #start = -1;
  /** Whether a comment without an end was found. Avoids repeated searches for the end. */
  #hasOpenComment = false;

  constructor(text: string) {
    this.#text = text;
    this.#starts = text.matchAll(ENTRY_START);
  }

  /** The next entry; null at the end of the file. */
  next(): BibtexRecordOrError | null {
    for (;;) {
      const start = this.#text.indexOf("@", this.#at);
      if (start < 0) return null;
      this.#at = start + 1;
      const type = this.#match(/\s*([A-Za-z]+)\s*(?=[{(])/y)
        .trim()
        .toLowerCase();
      if (type === "" || !this.#isAtStart(start)) continue;
      const line = this.#lineAt(start);
      this.#end = this.#startAfter(start);
      if (type === "comment") this.#skipComment();
      else {
        const record = this.#record(type, line);
        if (record !== null) return record;
      }
    }
  }

  /**
   * Whether the `@` at a position can start an entry, rather than belong to a text such as an
   * e-mail address.
   */
  #isAtStart(start: number): boolean {
    return !/[^\s},)]/.test(this.#text[start - 1] ?? "\n");
  }

  #record(type: string, line: number): BibtexRecordOrError | null {
    let key = "";
    try {
      const closing = this.#next() === "{" ? "}" : ")";
      if (type === "preamble") {
        this.#pieces();
        return null;
      }
      const warnings: { line: number; message: Wording }[] = [];
      if (type !== "string") key = this.#key();
      const fields = this.#fields(closing, warnings);
      return { type, key, line, fields, warnings };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#at = this.#end;
      const { en, de } = error.wording;
      const name = key || type;
      return {
        fault: { en: `the entry "${name}" ${en}`, de: `der Eintrag „${name}“ ${de}` },
        line,
      };
    }
  }

  /** Skips a comment, including any entries in it. */
  #skipComment(): void {
    if (this.#hasOpenComment) return;
    this.#end = this.#text.length;
    const before = this.#at;
    try {
      this.#next();
      this.#group();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#at = before + 1;
      this.#hasOpenComment = true;
    }
  }

  #key(): string {
    const found = this.#match(/[^,{}()="#%\n]{0,300}(?=\s*[,})])/y);
    return found.trim();
  }

  #fields(closing: string, warnings: { line: number; message: Wording }[]): BibtexField[] {
    const fields: BibtexField[] = [];
    for (;;) {
      const separator = this.#match(/[\s,]*/y);
      if (this.#at >= this.#end)
        throw new Fault({
          en: `has no "${closing}" at its end`,
          de: `hat kein „${closing}“ am Ende`,
        });
      if (this.#text[this.#at] === closing) {
        this.#at += 1;
        return fields;
      }
      const line = this.#lineAt(this.#at);
      const name = this.#match(/[^\s={},"#%()]+(?=\s*=)/y).toLowerCase();
      if (name === "")
        throw new Fault({
          en: `has something that is not a field in line ${line}`,
          de: `hat in Zeile ${line} etwas, das kein Feld ist`,
        });
      if (fields.length > 0 && !separator.includes(",")) {
        warnings.push({
          line,
          message: {
            en: `there is no comma before "${name}"; it was read all the same`,
            de: `vor „${name}“ fehlt ein Komma; es wurde trotzdem gelesen`,
          },
        });
      }
      if (fields.length >= FIELDS_MAX)
        throw new Fault({
          en: `has more than ${FIELDS_MAX} fields`,
          de: `hat mehr als ${FIELDS_MAX} Felder`,
        });
      this.#match(/\s*=\s*/y);
      fields.push({ name, line, pieces: this.#pieces() });
    }
  }

  #pieces(): BibtexPiece[] {
    const pieces: BibtexPiece[] = [];
    do {
      this.#match(/\s*/y);
      const token = this.#text[this.#at];
      if (token === "{") {
        this.#at += 1;
        pieces.push({ form: "text", text: this.#group() });
      } else if (token === '"') {
        this.#at += 1;
        pieces.push({ form: "text", text: this.#quoted() });
      } else {
        const name = this.#match(/[^\s,{}()#="]+/y);
        if (name === "")
          throw new Fault({
            en: `has a field without a value in line ${this.#lineAt(this.#at)}`,
            de: `hat in Zeile ${this.#lineAt(this.#at)} ein Feld ohne Wert`,
          });
        pieces.push({ form: "name", text: name });
      }
    } while (this.#match(/\s*#/y) !== "");
    return pieces;
  }

  /** Reads up to the brace that closes the group. */
  #group(): string {
    return this.#upTo(/\\[\s\S]|[{}]/g, (token, depth) => token === "}" && depth === 0);
  }

  #quoted(): string {
    return this.#upTo(/\\[\s\S]|[{}"]/g, (token, depth) => token === '"' && depth === 0);
  }

  #upTo(tokens: RegExp, isEnd: (token: string, depth: number) => boolean): string {
    const from = this.#at;
    let depth = 0;
    tokens.lastIndex = from;
    for (let found = tokens.exec(this.#text); found !== null; found = tokens.exec(this.#text)) {
      const [token] = found;
      if (found.index >= this.#end) break;
      if (isEnd(token, depth)) {
        this.#at = found.index + 1;
        return this.#text.slice(from, found.index);
      }
      if (token === "{") depth += 1;
      if (token === "}") depth -= 1;
    }
    throw new Fault({
      en: `has a value without an end, which begins in line ${this.#lineAt(from)}`,
      de: `hat einen Wert ohne Ende, der in Zeile ${this.#lineAt(from)} beginnt`,
    });
  }

  #startAfter(at: number): number {
    while (this.#start <= at) {
      const { value, done } = this.#starts.next();
      this.#start = done === true ? this.#text.length : value.index + value[0].indexOf("@");
      if (done === true) break;
    }
    return this.#start;
  }

  /**
   * The line number of a position. Counts from the position of the previous call; for an earlier position,
   * returns the previous line number.
   */
  #lineAt(at: number): number {
    if (at < this.#countedTo) return this.#line;
    for (let found = this.#text.indexOf("\n", this.#countedTo); found >= 0 && found < at; ) {
      this.#line += 1;
      this.#countedTo = found + 1;
      found = this.#text.indexOf("\n", this.#countedTo);
    }
    return this.#line;
  }

  #next(): string {
    this.#at += 1;
    return this.#text[this.#at - 1] ?? "";
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}
