import type { Wording } from "../../../errors.ts";
import { type ChunkReader, readRecords } from "../streams/piece-reader.ts";
import { copyString, XmlStreamReader } from "../streams/xml-stream.ts";

/** An author, term or item of an export file, with its texts. */
export interface WxrRecord {
  kind: "author" | "category" | "tag" | "term" | "item";
  /** Line on which the element starts, from 1. */
  line: number;
  /** The text of each field, keyed by the name of its element, such as `wp:post_id`. */
  fields: ReadonlyMap<string, string>;
  /** The custom fields of an item, in the order of the file. */
  meta: readonly (readonly [key: string, value: string])[];
  /** Categories and tags of an item. */
  terms: readonly { domain: string; slug: string; name: string }[];
  comments: number;
  /** Whether text was left out because it is too long. */
  isCut: boolean;
  /** Further addresses on the former site: percent-encoded paths, including the query if there is one. */
  formerPaths?: readonly string[];
  /** Notes on what was changed or left out in the text. */
  notes?: readonly Wording[];
}

/** A fact about the whole site, such as `wp:base_blog_url` or `language`. */
export interface WxrSiteField {
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

/** Limit on one record. The body of an item has at most 1 MiB. */
const RECORD_CHARACTERS_MAX = 8 * 1024 * 1024;
const META_MAX = 2000;

/**
 * Reads a WordPress export (WXR) as a stream, with one record in memory at a time.
 *
 * @throws {AppError} `invalid` if the export is truncated, nests too deep or has an unclosed
 * section.
 */
export function parseWxrRecords(
  pieces: AsyncIterable<string>,
): AsyncGenerator<WxrRecord | WxrSiteField> {
  return readRecords(pieces, new WxrReader());
}

type PartialRecord = {
  -readonly [Key in keyof WxrRecord]: WxrRecord[Key] extends readonly (infer Entry)[]
    ? Entry[]
    : WxrRecord[Key];
} & { fields: Map<string, string> };

class WxrReader implements ChunkReader<WxrRecord | WxrSiteField> {
  readonly #xml = new XmlStreamReader<WxrRecord | WxrSiteField>({
    open: (name, attributes, path) => this.#open(name, attributes, path.length),
    text: (text) => this.#add(text),
    close: (name, path) => this.#close(name, path),
  });
  #depth = 0;
  #record: PartialRecord | null = null;
  #recordCharacters = 0;
  #text = "";
  #attributes: Readonly<Record<string, string>> = {};
  #metaKey = "";

  read(piece: string): (WxrRecord | WxrSiteField)[] {
    return this.#xml.read(piece);
  }

  end(): void {
    this.#xml.end();
  }

  #open(name: string, attributes: Readonly<Record<string, string>>, depth: number): void {
    this.#depth = depth;
    this.#text = "";
    this.#attributes = attributes;
    const kind = depth === 3 && Object.hasOwn(RECORD_KINDS, name) ? RECORD_KINDS[name] : undefined;
    if (kind === undefined) return;
    this.#recordCharacters = 0;
    this.#record = {
      ...{ kind, line: this.#xml.line(), comments: 0, isCut: false },
      ...{ fields: new Map(), meta: [], terms: [] },
    };
  }

  #add(text: string): void {
    if (this.#depth < 3) return;
    this.#recordCharacters += text.length;
    if (this.#recordCharacters <= RECORD_CHARACTERS_MAX) this.#text += text;
    else if (this.#record !== null) this.#record.isCut = true;
  }

  #close(name: string, path: readonly string[]): void {
    const depth = path.length;
    this.#depth = depth - 1;
    const record = this.#record;
    if (record === null) {
      if (depth === 3) this.#xml.addRecord({ kind: "fact", name, text: this.#text.trim() });
      if (depth === 3) this.#recordCharacters = 0;
    } else if (depth === 3) {
      this.#xml.addRecord(record);
      this.#record = null;
    } else this.#closeWithin(record, name, path);
    this.#text = "";
  }

  #closeWithin(record: PartialRecord, name: string, path: readonly string[]): void {
    const depth = path.length;
    if (depth === 5 && path[3] === "wp:postmeta") {
      if (name === "wp:meta_key") this.#metaKey = this.#text.trim();
      else if (name === "wp:meta_value" && record.meta.length < META_MAX)
        record.meta.push([this.#metaKey, this.#text]);
    } else if (depth === 4 && name === "wp:comment") record.comments += 1;
    else if (depth === 4 && record.kind === "item" && name === "category") {
      const { domain = "category", nicename: slug = "" } = this.#attributes;
      record.terms.push({ domain, slug, name: this.#text.trim() });
    } else if (depth === 4) record.fields.set(name, copyString(this.#text));
  }
}
