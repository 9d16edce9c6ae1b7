import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { wordsOfHtml } from "./html-to-markdown.ts";

const sectionSchema = z.object({
  id: z.string(),
  work: z.string(),
  position: z.int(),
  title: z.string(),
  html: z.string(),
});

/** Where a text stands in a book. */
export interface BookPlace {
  chapter: string;
  /** The book or part of the work that the chapter belongs to, such as `Book II`; null: none. */
  part: string | null;
  /** Number of the chapter in the work, and of the first character in the chapter. */
  order: readonly [chapter: number, character: number];
}

/** The place where a text stands word for word in a chapter; null when it does not. */
export type FindInChapter = (section: string, text: string) => BookPlace | null;

interface Chapter extends Omit<BookPlace, "order"> {
  position: number;
  words: string;
}

/** Reads the chapters of the books of a corpus folder. */
export function readBooks(folder: string): FindInChapter {
  const lines = zstdDecompressSync(readFileSync(join(folder, "sections.jsonl.zst")))
    .toString()
    .trimEnd()
    .split("\n");
  const sections = lines.map((line) => sectionSchema.parse(JSON.parse(line)));
  const chapters = new Map<string, Chapter>();
  const parts = new Map<string, string>();
  for (const { id, work, position, title, html } of sections) {
    const opened = PART_OPENING.exec(title)?.[0];
    if (opened !== undefined) parts.set(work, opened);
    const part = opened === undefined && NUMERAL.test(title) ? (parts.get(work) ?? null) : null;
    chapters.set(id, { chapter: title, part, position, words: withoutSpaces(wordsOfHtml(html)) });
  }
  return (section, text) => {
    const found = chapters.get(section);
    const character = found?.words.indexOf(withoutSpaces(text)) ?? -1;
    if (found === undefined || character === -1) return null;
    const { chapter, part, position } = found;
    return { chapter, part, order: [position, character] };
  };
}

/** The title of a section that opens a book or part, without the name of that part. */
const PART_OPENING = /^(?:Book|Part) [IVXLC]+\b/;
/** The number that begins the title of a chapter. */
const NUMERAL = /^[IVXLC]+(?::|$)/;

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}
