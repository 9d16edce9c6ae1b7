import { Parser } from "htmlparser2";
import { AppError, type Wording } from "../../../errors.ts";
import type { ChunkReader } from "./piece-reader.ts";

/** Handlers for the elements and texts of a file. */
export interface XmlHandlers {
  /** @param path names of the open elements, outermost first, up to this element. */
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void;
  text(text: string): void;
  /** @param path names of the open elements, outermost first, up to this element. */
  close(name: string, path: readonly string[]): void;
}

/**
 * Limit on the text that the parser buffers before it calls a handler, such as one CDATA section or
 * one tag.
 */
const UNREAD_CHARACTERS_MAX = 16 * 1024 * 1024;
const DEPTH_MAX = 50;

const UNCLOSED_SECTION: Wording = {
  en: "has a section without an end",
  de: "hat einen Abschnitt ohne Ende",
};
const TRUNCATED_FILE: Wording = {
  en: "ends in the middle; export it again",
  de: "endet mittendrin; exportieren Sie noch einmal",
};
const TOO_DEEP: Wording = { en: "nests too deep", de: "ist zu tief verschachtelt" };

/**
 * Reads an XML export in pieces. Does not expand entities declared in the file. Does not call
 * `close` for elements that a truncated file leaves open.
 */
export class XmlStreamReader<Found> implements ChunkReader<Found> {
  readonly #handlers: XmlHandlers;
  readonly #parser: Parser;
  readonly #path: string[] = [];
  #found: Found[] = [];
  #piece = "";
  /** Number of characters before the current piece. */
  #offset = 0;
  /** Position in the current piece up to which lines were counted. */
  #countedTo = 0;
  #line = 1;
  #isEnding = false;
  #isComplete = false;
  /** Number of characters read since the parser last called a handler. */
  #unread = 0;

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => this.#text(text),
        onclosetag: (name) => this.#close(name),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  /** Adds a complete record. Called by a handler. */
  addRecord(record: Found): void {
    this.#found.push(record);
  }

  /** @throws {AppError} `invalid` if elements nest too deep or a section is not closed. */
  read(piece: string): Found[] {
    this.#unread += piece.length;
    this.#piece = piece;
    this.#countedTo = 0;
    this.#parser.write(piece);
    if (this.#unread > UNREAD_CHARACTERS_MAX) throw this.#fault(UNCLOSED_SECTION);
    this.#countLines(piece.length);
    this.#offset += piece.length;
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** @throws {AppError} `invalid` if the file is truncated. */
  end(): void {
    this.#isEnding = true;
    this.#parser.end();
    if (!this.#isComplete) throw this.#fault(TRUNCATED_FILE);
  }

  /** The line, from 1, of the tag that is being handled. */
  line(): number {
    this.#countLines(this.#parser.startIndex - this.#offset);
    return this.#line;
  }

  #fault({ en, de }: Wording): AppError {
    return new AppError("invalid", {
      en: `Cannot read the export: it ${en} (near line ${this.#line})`,
      de: `Der Export lässt sich nicht lesen: Er ${de} (nahe Zeile ${this.#line})`,
    });
  }

  #countLines(end: number): void {
    for (let at = this.#piece.indexOf("\n", this.#countedTo); at !== -1 && at < end; ) {
      this.#line += 1;
      at = this.#piece.indexOf("\n", at + 1);
    }
    this.#countedTo = Math.max(this.#countedTo, end);
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#unread = 0;
    this.#path.push(name);
    if (this.#path.length > DEPTH_MAX) throw this.#fault(TOO_DEEP);
    this.#handlers.open(name, attributes, this.#path);
  }

  #text(text: string): void {
    this.#unread = 0;
    this.#handlers.text(text);
  }

  #close(name: string): void {
    // At the end of a truncated file, the parser reports all open elements as closed. These reports are
    // ignored.
    if (this.#isEnding) return;
    this.#unread = 0;
    this.#handlers.close(name, this.#path);
    this.#path.pop();
    if (this.#path.length === 0) this.#isComplete = true;
  }
}

/** Copies a string, because a substring would keep the whole original in memory. */
export function copyString(text: string): string {
  return Buffer.from(text).toString();
}
