import type { Wording } from "../../../errors.ts";
import { type OmittedTablePart, ROW_CHARACTERS_MAX, type Table, type TableRow } from "./table.ts";
import { decodeTextStream, detectTextEncoding } from "./text-encoding.ts";

/**
 * The line after each entry of `My Clippings.txt`, the file in which Kindle readers store
 * highlights and notes.
 */
const ENTRY_END = "==========";
const START_CHARACTERS = 16 * 1024;

const COLUMNS = ["Quote", "Author", "Book", "Location"];

const FORM: Wording = { en: "clippings of a Kindle reader", de: "Markierungen aus einem Kindle" };
const NOTES: LeftOut = {
  what: { en: "notes", de: "Notizen" },
  reason: { en: "they are not from the book", de: "sie stammen nicht aus dem Buch" },
  isContent: false,
};
const BOOKMARKS: LeftOut = {
  what: { en: "bookmarks", de: "Lesezeichen" },
  reason: { en: "they have no text", de: "sie haben keinen Text" },
  isContent: false,
};
const EARLIER: LeftOut = {
  what: { en: "highlights", de: "Markierungen" },
  reason: {
    en: "the next one, of the same place, has their text",
    de: "die nächste, an derselben Stelle, hat ihren Text",
  },
  isContent: false,
};
const OVER_LIMIT: LeftOut = {
  what: { en: "highlights", de: "Markierungen" },
  reason: {
    en: "the file lacks their text: the book limits how much is kept",
    de: "ihr Text fehlt in der Datei: Das Buch begrenzt, wie viel gespeichert wird",
  },
  isContent: true,
};
const UNREADABLE: LeftOut = {
  what: { en: "entries", de: "Einträge" },
  reason: { en: "their form is not known", de: "ihre Form ist nicht bekannt" },
  isContent: true,
};

type LeftOut = Omit<OmittedTablePart, "count">;

/**
 * The second line of an entry begins with a dash. The patterns below match parts of this line in
 * the languages of Kindle readers.
 */
const ABOUT_LINE = /^-\s/;
const NOTE = /\b(?:note|notiz|nota|notitie)\b/i;
const BOOKMARK = /bookmark|lesezeichen|marcador|signet|segnalibro|bladwijzer/i;
const PAGE = /\b(?:page|seite|página|pagina)\s+([\divxlcdm]+(?:-[\divxlcdm]+)?)/i;
const PLACE =
  /(?:\bloc(?:ation|\.)|\bposition|\bposición|\bposição|\bemplacement|\bposizione|\blocatie)\s+(\d+(?:-\d+)?)/i;
/**
 * Matches the notice that Kindle readers store instead of a highlight if the book limits how much text may be
 * copied.
 */
const LIMIT_NOTICE = /^<[^<>]{5,200}>$/;

interface Clipping {
  line: number;
  text: string;
  author: string;
  book: string;
  /** The page or location as cited: `p. 12` or `loc. 170-172`; empty if unknown. */
  place: string;
  /** Page or location at which the clipping begins; null if unknown. */
  start: number | null;
}

/** Whether a file is a Kindle reader's clippings file, judged by its beginning. */
export async function isClippingsFile(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder();
  let start = "";
  for await (const piece of bytes) {
    start += decoder.decode(piece.subarray(0, START_CHARACTERS), { stream: true });
    if (start.length >= START_CHARACTERS) break;
  }
  return /^[^\n]+\n- [^\n]+\n(?:[^\n]*\n){1,200}?={10}\s*(?:\n|$)/.test(start.replaceAll("\r", ""));
}

/**
 * Opens a clippings file as a table of quotations.
 *
 * @param open opens the file; each call reads it from the start.
 */
export async function openClippings(open: () => AsyncIterable<Uint8Array>): Promise<Table> {
  const encoding = await detectTextEncoding(open());
  const counts = new Map<LeftOut, number>();
  const leaveOut = (part: LeftOut) => counts.set(part, (counts.get(part) ?? 0) + 1);
  for await (const _ of clippingsIn(decodeTextStream(open(), encoding), leaveOut));
  return {
    form: FORM,
    leftOut: [...counts].map(([part, count]) => ({ ...part, count })),
    async *rows() {
      yield { line: 1, cells: COLUMNS, problems: [] };
      for await (const clipping of clippingsIn(decodeTextStream(open(), encoding), () => {})) {
        yield rowOf(clipping);
      }
    },
  };
}

function rowOf({ line, text, author, book, place }: Clipping): TableRow {
  return { line, cells: [text, author, book, place], problems: [] };
}

/**
 * Yields only the last version of each highlight. For a changed highlight, the Kindle reader adds
 * an entry and keeps the old one.
 */
async function* clippingsIn(
  texts: AsyncIterable<string>,
  leaveOut: (part: LeftOut) => void,
): AsyncGenerator<Clipping> {
  let last: Clipping | null = null;
  for await (const { line, lines } of entriesIn(texts)) {
    const read = clippingOf(line, lines);
    if ("reason" in read) {
      leaveOut(read);
      continue;
    }
    if (last !== null && isSamePlace(last, read)) leaveOut(EARLIER);
    else if (last !== null) yield last;
    last = read;
  }
  if (last !== null) yield last;
}

function isSamePlace(earlier: Clipping, later: Clipping): boolean {
  if (earlier.book !== later.book || earlier.start !== later.start) return false;
  return later.text.includes(earlier.text) || earlier.text.includes(later.text);
}

async function* entriesIn(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ line: number; lines: string[] }> {
  let lines: string[] = [];
  let characters = 0;
  let first = 1;
  let number = 0;
  for await (const line of linesIn(texts)) {
    number += 1;
    if (line.startsWith(ENTRY_END)) {
      yield { line: first, lines };
      lines = [];
      characters = 0;
      first = number + 1;
    } else {
      characters += line.length;
      if (characters <= ROW_CHARACTERS_MAX) lines.push(line);
    }
  }
  if (lines.some((line) => line.trim() !== "")) yield { line: first, lines };
}

/** Yields the lines of a text. Truncates lines that are longer than the limit on a row. */
async function* linesIn(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let line = "";
  for await (const text of texts) {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      yield line + text.slice(from, end);
      line = "";
      from = end + 1;
    }
    if (line.length < ROW_CHARACTERS_MAX) line += text.slice(from);
  }
  yield line;
}

function clippingOf(
  line: number,
  [heading = "", about = "", ...rest]: string[],
): Clipping | LeftOut {
  if (!ABOUT_LINE.test(about)) return UNREADABLE;
  const text = rest.join("\n").trim();
  if (BOOKMARK.test(about)) return BOOKMARKS;
  if (NOTE.test(about)) return NOTES;
  if (text === "") return UNREADABLE;
  if (LIMIT_NOTICE.test(text)) return OVER_LIMIT;
  const [, page] = PAGE.exec(about) ?? [];
  const [, location] = PLACE.exec(about) ?? [];
  const start = location ?? page ?? null;
  return {
    ...{ line, text, ...titleAndAuthor(heading) },
    place: page !== undefined ? `p. ${page}` : location === undefined ? "" : `loc. ${location}`,
    start: start === null ? null : Number.parseInt(start, 10),
  };
}

/**
 * Splits a heading such as `Emma (Austen, Jane)` or `Good Omens (Gaiman, Neil;Pratchett, Terry)`
 * into title and author. The title itself may contain parentheses.
 */
function titleAndAuthor(heading: string): { book: string; author: string } {
  const plain = heading.replace(/^\uFEFF+/, "").trim();
  const open = plain.endsWith(")") ? plain.lastIndexOf("(") : -1;
  if (open <= 0) return { book: plain, author: "" };
  const authors = plain
    .slice(open + 1, -1)
    .split(";")
    .map(nameInOrder);
  return { book: plain.slice(0, open).trim(), author: authors.join("; ") };
}

/** Puts a name in reading order: `Austen, Jane` → `Jane Austen`. */
function nameInOrder(name: string): string {
  const [last = "", first, ...more] = name.split(",").map((part) => part.trim());
  return first === undefined || more.length > 0 ? name.trim() : `${first} ${last}`;
}
