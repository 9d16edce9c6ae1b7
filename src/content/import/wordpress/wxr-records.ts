import { Parser } from "htmlparser2";
import { AppError, type Wording } from "../../../errors.ts";

/** An element of an export file, as text. */
export interface WxrRecord {
  kind: "author" | "category" | "tag" | "term" | "item";
  /** Line on which the element starts, from 1. */
  line: number;
  /** Text by element name: `wp:post_id`. */
  fields: ReadonlyMap<string, string>;
  /** Custom fields, in order. */
  meta: readonly (readonly [key: string, value: string])[];
  /** Categories and tags of an item. */
  terms: readonly { domain: string; slug: string; name: string }[];
  comments: number;
  /** Whether text was left out because it is too long. */
  isCut: boolean;
}

/** A fact about the whole site: `wp:base_blog_url`, `language`. */
export interface WxrFact {
  kind: "fact";
  name: string;
  text: string;
}

const RECORD_KINDS: Readonly<Record<string, WxrRecord["kind"]>> = {
  item: "item",
  "wp:author": "author",
  "wp:category": "category",
  "wp:tag": "tag",
  "wp:term": "term",
};

/** Limit on one record; a body holds up to 1 MiB. */
const RECORD_CHARACTERS_MAX = 8 * 1024 * 1024;
/** Limit on text that the parser buffers without an event: one CDATA section, or one tag. */
const UNREAD_CHARACTERS_MAX = 16 * 1024 * 1024;
const UNCLOSED_SECTION: Wording = {
  en: "has a section without an end",
  de: "hat einen Abschnitt ohne Ende",
};
const TRUNCATED_FILE: Wording = {
  en: "ends in the middle; export it again",
  de: "endet mittendrin; exportieren Sie noch einmal",
};
const TOO_DEEP: Wording = { en: "nests too deep", de: "ist zu tief verschachtelt" };
const DEPTH_MAX = 50;
const META_MAX = 2000;

/**
 * Reads a WordPress export (WXR) as a stream, holding one record at a time. Does not expand
 * entities declared in the file.
 *
 * @throws {AppError} `invalid` if it is truncated, nests too deep or has an unclosed section.
 */
export async function* wxrRecords(
  pieces: AsyncIterable<string>,
): AsyncGenerator<WxrRecord | WxrFact> {
  const reader = new WxrReader();
  for await (const piece of pieces) yield* reader.read(piece);
  yield* reader.end();
}

type PartialRecord = {
  -readonly [Key in keyof WxrRecord]: WxrRecord[Key] extends readonly (infer Entry)[]
    ? Entry[]
    : WxrRecord[Key];
} & { fields: Map<string, string> };

class WxrReader {
  readonly #parser: Parser;
  #found: (WxrRecord | WxrFact)[] = [];
  /** Names of the open elements. */
  #path: string[] = [];
  #record: PartialRecord | null = null;
  #recordCharacters = 0;
  #text = "";
  #attributes: Readonly<Record<string, string>> = {};
  #metaKey = "";
  #piece = "";
  /** Number of characters before the current chunk. */
  #offset = 0;
  /** Position in the current chunk up to which lines were counted. */
  #countedTo = 0;
  #line = 1;
  #isEnding = false;
  #isComplete = false;
  /** Characters since the last event. */
  #unread = 0;

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => this.#add(text),
        onclosetag: (name) => this.#close(name),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  read(piece: string): (WxrRecord | WxrFact)[] {
    this.#unread += piece.length;
    this.#piece = piece;
    this.#countedTo = 0;
    this.#parser.write(piece);
    if (this.#unread > UNREAD_CHARACTERS_MAX) throw this.#fault(UNCLOSED_SECTION);
    this.#countLines(piece.length);
    this.#offset += piece.length;
    return this.#takeFound();
  }

  end(): (WxrRecord | WxrFact)[] {
    this.#isEnding = true;
    this.#parser.end();
    if (!this.#isComplete) throw this.#fault(TRUNCATED_FILE);
    return this.#takeFound();
  }

  #takeFound(): (WxrRecord | WxrFact)[] {
    const found = this.#found;
    this.#found = [];
    return found;
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
    const depth = this.#path.length;
    if (depth > DEPTH_MAX) throw this.#fault(TOO_DEEP);
    this.#text = "";
    this.#attributes = attributes;
    const kind = depth === 3 && Object.hasOwn(RECORD_KINDS, name) ? RECORD_KINDS[name] : undefined;
    if (kind === undefined) return;
    this.#recordCharacters = 0;
    this.#countLines(this.#parser.startIndex - this.#offset);
    this.#record = {
      ...{
        kind,
        line: this.#line,
        comments: 0,
        isCut: false,
        fields: new Map(),
        meta: [],
        terms: [],
      },
    };
  }

  #add(text: string): void {
    this.#unread = 0;
    if (this.#path.length < 3) return;
    this.#recordCharacters += text.length;
    if (this.#recordCharacters <= RECORD_CHARACTERS_MAX) this.#text += text;
    else if (this.#record !== null) this.#record.isCut = true;
  }

  #close(name: string): void {
    // In a truncated file, the parser closes open elements.
    if (this.#isEnding) return;
    this.#unread = 0;
    const depth = this.#path.length;
    this.#path.pop();
    if (depth === 1) this.#isComplete = true;
    const record = this.#record;
    if (record === null) {
      if (depth === 3) this.#found.push({ kind: "fact", name, text: this.#text.trim() });
      if (depth === 3) this.#recordCharacters = 0;
    } else if (depth === 3) {
      this.#found.push(record);
      this.#record = null;
    } else this.#closeWithin(record, name, depth);
    this.#text = "";
  }

  #closeWithin(record: PartialRecord, name: string, depth: number): void {
    const recordPart = this.#path[3];
    if (depth === 5 && recordPart === "wp:postmeta") {
      if (name === "wp:meta_key") this.#metaKey = this.#text.trim();
      else if (name === "wp:meta_value" && record.meta.length < META_MAX)
        record.meta.push([this.#metaKey, this.#text]);
    } else if (depth === 4 && name === "wp:comment") record.comments += 1;
    else if (depth === 4 && record.kind === "item" && name === "category") {
      const { domain = "category", nicename: slug = "" } = this.#attributes;
      record.terms.push({ domain, slug, name: this.#text.trim() });
    } else if (depth === 4) record.fields.set(name, copiedText(this.#text));
  }
}

/** Copies a string, because a substring would keep the whole text in memory. */
function copiedText(text: string): string {
  return Buffer.from(text).toString();
}
