import { AppError, type Wording } from "../../../errors.ts";
import { type ChunkReader, readRecords } from "../streams/piece-reader.ts";

/** A row of a table, such as `posts`, in a Ghost export. */
export interface GhostRow {
  table: string;
  /** Null: the row is too long to be read. */
  values: Readonly<Record<string, unknown>> | null;
  characters: number;
}

const ROW_CHARACTERS_MAX = 8 * 1024 * 1024;
const DEPTH_MAX = 100;
/** Strings with more characters than this cannot be names of tables, so they are not stored. */
const NAME_CHARACTERS_MAX = 100;

/** Matches a bracket or the start of a string. Used outside strings. */
const STRUCTURE = /["{}[\]]/g;
/** Matches an escape or the end of the string. Used within a string. */
const WITHIN_STRING = /["\\]/g;

const TRUNCATED: Wording = {
  en: "it ends in the middle; export it again",
  de: "Er endet mittendrin; exportieren Sie noch einmal",
};
const TOO_DEEP: Wording = { en: "it nests too deep", de: "Er ist zu tief verschachtelt" };
const MALFORMED: Wording = { en: "it is not valid JSON", de: "Er ist kein gültiges JSON" };

/**
 * Reads an export of Ghost (`{"db": [{"meta": …, "data": {"posts": […], …}}]}`, or only its inner object) as
 * a stream, with one row in memory at a time.
 *
 * @throws {AppError} `invalid` if the export is truncated, malformed or nests too deep.
 */
export function readGhostRows(pieces: AsyncIterable<string>): AsyncGenerator<GhostRow> {
  return readRecords(pieces, new RowReader());
}

interface Container {
  kind: "{" | "[";
  /** The key of the object or list in its parent; empty if the parent is a list. */
  name: string;
}

class RowReader implements ChunkReader<GhostRow> {
  readonly #open: Container[] = [];
  /** The latest string outside rows. It is the name of the object or list that follows. */
  #name = "";
  #isString = false;
  #isEscape = false;
  /** Depth of the row that is being read; 0: none. */
  #rowDepth = 0;
  /** The pieces of the current row so far; null: the row is too long. */
  #row: string[] | null = [];
  #rowCharacters = 0;
  #hasRows = false;
  #piece = "";
  /** Where the current row or string begins in the piece. */
  #from = 0;
  #found: GhostRow[] = [];

  read(piece: string): GhostRow[] {
    this.#piece = piece;
    this.#from = 0;
    this.#found = [];
    let at = this.#isEscape ? 1 : 0;
    this.#isEscape = this.#isEscape && piece === "";
    for (;;) {
      const pattern = this.#isString ? WITHIN_STRING : STRUCTURE;
      pattern.lastIndex = at;
      const mark = pattern.exec(piece);
      if (mark === null) break;
      at = mark.index + 1;
      if (mark[0] === "\\") {
        this.#isEscape = at === piece.length;
        at += 1;
      } else this.#pass(mark[0], mark.index);
    }
    this.#keep(piece.length);
    return this.#found;
  }

  #pass(mark: string, index: number): void {
    switch (mark) {
      case '"':
        this.#passQuote(index);
        break;
      case "{":
      case "[":
        this.#enter(mark, index);
        break;
      default:
        this.#leave(mark === "}" ? "{" : "[", index);
    }
  }

  #passQuote(index: number): void {
    if (this.#rowDepth === 0) {
      if (this.#isString) this.#keep(index);
      else this.#name = "";
      this.#from = index + 1;
    }
    this.#isString = !this.#isString;
  }

  #enter(kind: Container["kind"], index: number): void {
    const parent = this.#open.at(-1);
    const isInTable = parent?.kind === "[" && this.#open.at(-2)?.name === "data";
    this.#open.push({ kind, name: parent?.kind === "{" ? this.#name : "" });
    if (this.#open.length > DEPTH_MAX) throw ghostExportError(TOO_DEEP);
    if (this.#rowDepth > 0 || kind !== "{" || !isInTable) return;
    this.#rowDepth = this.#open.length;
    this.#hasRows = true;
    this.#from = index;
  }

  #leave(kind: Container["kind"], index: number): void {
    if (this.#open.pop()?.kind !== kind) throw ghostExportError(MALFORMED);
    if (this.#open.length >= this.#rowDepth) return;
    this.#keep(index + 1);
    const values = this.#row === null ? null : parsedRow(this.#row.join(""));
    const characters = this.#rowCharacters;
    this.#found.push({ table: this.#open.at(-1)?.name ?? "", values, characters });
    this.#row = [];
    this.#rowCharacters = 0;
    this.#rowDepth = 0;
  }

  /** Stores the text from `#from` to a position, if it belongs to a row or to a string outside rows. */
  #keep(to: number): void {
    const text = this.#piece.slice(this.#from, to);
    if (this.#rowDepth > 0) {
      this.#rowCharacters += text.length;
      if (this.#rowCharacters > ROW_CHARACTERS_MAX) this.#row = null;
      this.#row?.push(text);
    } else if (this.#isString && this.#name.length + text.length <= NAME_CHARACTERS_MAX) {
      this.#name += text;
    }
  }

  /** @throws {AppError} if an object or list is not closed, or if no rows were found. */
  end(): void {
    if (this.#open.length > 0 || this.#isString || !this.#hasRows)
      throw ghostExportError(TRUNCATED);
  }
}

function parsedRow(text: string): Record<string, unknown> {
  try {
    return Object.assign({}, JSON.parse(text));
  } catch {
    throw ghostExportError(MALFORMED);
  }
}

/** The error for an export that cannot be read, with the reason. */
export function ghostExportError({ en, de }: Wording): AppError {
  return new AppError("invalid", {
    en: `Cannot read the export: ${en}`,
    de: `Der Export lässt sich nicht lesen: ${de}`,
  });
}
