import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { wordsOfChapter } from "./html-to-markdown.ts";

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
  /** Whether it is in a translator's introduction to the chapter, not in the author's words. */
  introduction: boolean;
  /** Number of the chapter in the work, and of the first character in the chapter. */
  order: readonly [chapter: number, character: number];
}

/** The place where a text stands word for word in a chapter; null when it does not. */
export type FindInChapter = (section: string, text: string) => BookPlace | null;

interface Chapter extends Omit<BookPlace, "order" | "introduction"> {
  position: number;
  words: string;
  /** The words without those of introductions. */
  own: string;
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
    const { words, introductions } = wordsOfChapter(html);
    const own = introductions.reduce((rest, introduction) => rest.replace(introduction, ""), words);
    const texts = { words: withoutSpaces(words), own: withoutSpaces(own) };
    chapters.set(id, { chapter: title, part, position, ...texts });
  }
  return (section, text) => {
    const found = chapters.get(section);
    const wanted = withoutSpaces(text);
    const character = found?.words.indexOf(wanted) ?? -1;
    if (found === undefined || character === -1) return null;
    const { chapter, part, position, own } = found;
    return { chapter, part, introduction: !own.includes(wanted), order: [position, character] };
  };
}

/** The title of a section that opens a book or part, without the name of that part. */
const PART_OPENING = /^(?:Book|Part) [IVXLC]+\b/;
/** The number that begins the title of a chapter. */
const NUMERAL = /^[IVXLC]+(?::|$)/;

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}
