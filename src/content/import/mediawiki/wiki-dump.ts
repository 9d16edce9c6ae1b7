import { type ChunkReader, readRecords } from "../streams/piece-reader.ts";
import { copyString, XmlStreamReader } from "../streams/xml-stream.ts";
import { removePlaceholderDelimiters } from "./html-placeholders.ts";

/** Facts about the whole wiki, as the dump states them. */
export interface WikiSite {
  kind: "site";
  name: string;
  /** Address of the main page; empty if the dump does not state it. */
  base: string;
  language: string;
  /**
   * Names of namespaces in the language of the wiki, keyed by number. The namespace of articles has an empty
   * name.
   */
  namespaces: ReadonlyMap<number, string>;
}

/** A page of the wiki, with the text of its latest version. */
export interface WikiPage {
  kind: "page";
  /** Line on which the page starts, from 1. */
  line: number;
  id: string;
  /** The title with the name of the namespace, such as `Category:Roses`. */
  title: string;
  /** Title of the page to which this page redirects; empty: it is not a redirect. */
  redirect: string;
  text: string;
  /** The content model: `wikitext`, `css`, `Scribunto` or another. */
  model: string;
  /** When the first version in the dump was saved, as ISO 8601; empty if it is unknown. */
  created: string;
  /** The time of the latest version. */
  changed: string;
  /** Whether the latest version was hidden from readers. */
  isHidden: boolean;
  /** Whether the text is incomplete because it exceeds the limit. */
  isCut: boolean;
}

/**
 * Matches the text of a redirect in several languages: `#REDIRECT [[Roses]]`. Old dumps mark a redirect only
 * by this text.
 */
const REDIRECT =
  /^\s*#(?:redirect(?:ion)?|weiterleitung|redirección|rinvia|doorverwijzing|omdirigering|patrz|przekieruj|redirecionamento|перенаправление)\s*:?\s*\[\[([^\]|#\n]{1,300})/i;
/** Maximum number of characters of a version's text. */
const TEXT_CHARACTERS_MAX = 2 * 1024 * 1024;
/** Maximum number of characters of a value other than the text, such as a title or a comment. */
const VALUE_CHARACTERS_MAX = 10_000;

/**
 * Reads a dump of MediaWiki (`Special:Export`, `dumpBackup.php`) as a stream, with one page and two of its
 * versions in memory at a time. The format: https://www.mediawiki.org/wiki/Help:Export
 *
 * @throws {AppError} `invalid` if the dump is truncated, nests too deep or has an unclosed section.
 */
export function readWikiDump(pieces: AsyncIterable<string>): AsyncGenerator<WikiSite | WikiPage> {
  return readRecords(pieces, new DumpReader());
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

interface Version {
  timestamp: string;
  text: string;
  model: string;
  isHidden: boolean;
  isCut: boolean;
}

class DumpReader implements ChunkReader<WikiSite | WikiPage> {
  readonly #xml = new XmlStreamReader<WikiSite | WikiPage>({
    open: (name, attributes, path) => this.#open(name, attributes, path),
    text: (text) => this.#add(text),
    close: (name, path) => this.#close(name, path),
  });
  #language = "";
  #base = "";
  #name = "";
  readonly #namespaces = new Map<number, string>();
  #namespace = 0;
  #page: Mutable<WikiPage> = emptyPage(1);
  /** The version that is being read. */
  #version: Version = emptyVersion();
  /** The latest version so far. */
  #latest: Version = emptyVersion();
  #text = "";
  #isCut = false;
  #charactersMax = VALUE_CHARACTERS_MAX;

  read(piece: string): (WikiSite | WikiPage)[] {
    return this.#xml.read(piece);
  }

  end(): void {
    this.#xml.end();
  }

  #open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void {
    this.#text = "";
    this.#isCut = false;
    this.#charactersMax = name === "text" ? TEXT_CHARACTERS_MAX : VALUE_CHARACTERS_MAX;
    const isHidden = attributes["deleted"] !== undefined;
    if (path.length === 1) this.#language = attributes["xml:lang"] ?? "";
    if (name === "namespace") this.#namespace = Number(attributes["key"]);
    if (name === "page" && path.length === 2) {
      this.#page = emptyPage(this.#xml.line());
      this.#latest = emptyVersion();
    }
    if (name === "redirect") this.#page.redirect = attributes["title"] ?? "";
    if (name === "revision") this.#version = emptyVersion();
    if (name === "text") this.#version.isHidden ||= isHidden;
  }

  #add(written: string): void {
    const text = removePlaceholderDelimiters(written);
    if (this.#text.length + text.length <= this.#charactersMax) this.#text += text;
    else this.#isCut = true;
  }

  #close(name: string, path: readonly string[]): void {
    const parent = path.at(-2);
    if (parent === "page") this.#closeInPage(name);
    else if (parent === "revision") this.#closeInVersion(name);
    else if (name === "namespace") this.#namespaces.set(this.#namespace, this.#text.trim());
    else if (name === "base") this.#base = this.#text.trim();
    else if (name === "sitename") this.#name = this.#text.trim();
    else if (name === "siteinfo") this.#xml.addRecord(this.#site());
    else if (name === "page") this.#xml.addRecord(this.#finishedPage());
    this.#text = "";
  }

  #finishedPage(): WikiPage {
    const latest = shown(this.#latest);
    if (latest.isHidden) return { ...this.#page, ...latest, redirect: "" };
    const redirect = this.#page.redirect || (REDIRECT.exec(latest.text)?.[1]?.trim() ?? "");
    return { ...this.#page, ...latest, redirect };
  }

  #site(): WikiSite {
    const namespaces = new Map(this.#namespaces);
    const [name, base, language] = [this.#name, this.#base, this.#language];
    return { kind: "site", name, base, language, namespaces };
  }

  #closeInPage(name: string): void {
    if (name === "title") this.#page.title = copyString(this.#text.trim().normalize("NFC"));
    if (name === "id") this.#page.id = copyString(this.#text.trim());
    if (name !== "revision") return;
    const { timestamp } = this.#version;
    const { created } = this.#page;
    if (created === "" || timestamp < created) this.#page.created = timestamp;
    // A version without a time cannot be compared, so it counts as the latest so far.
    if (timestamp === "" || timestamp >= this.#latest.timestamp) this.#latest = this.#version;
    this.#page.changed = this.#latest.timestamp;
  }

  #closeInVersion(name: string): void {
    if (name === "timestamp") this.#version.timestamp = copyString(this.#text.trim());
    if (name === "model") this.#version.model = copyString(this.#text.trim());
    if (name !== "text") return;
    this.#version.text = this.#text;
    this.#version.isCut = this.#isCut;
  }
}

function emptyPage(line: number): Mutable<WikiPage> {
  const strings = { id: "", title: "", redirect: "", created: "", changed: "" };
  return { kind: "page", line, ...strings, ...shown(emptyVersion()) };
}

function emptyVersion(): Version {
  return { timestamp: "", text: "", model: "wikitext", isHidden: false, isCut: false };
}

function shown({ text, model, isHidden, isCut }: Version): Omit<Version, "timestamp"> {
  return { text, model, isHidden, isCut };
}
