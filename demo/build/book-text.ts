import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { wordsOfHtml } from "./html-to-markdown.ts";

const sectionSchema = z.object({ id: z.string(), title: z.string(), html: z.string() });

/** The title of a chapter in which a text stands word for word; null when it does not. */
export type FindInChapter = (section: string, text: string) => string | null;

/** Reads the chapters of the books of a corpus folder. */
export function readBooks(folder: string): FindInChapter {
  const lines = zstdDecompressSync(readFileSync(join(folder, "sections.jsonl.zst")))
    .toString()
    .trimEnd()
    .split("\n");
  const chapters = new Map<string, { title: string; words: string }>();
  for (const line of lines) {
    const { id, title, html } = sectionSchema.parse(JSON.parse(line));
    chapters.set(id, { title, words: withoutSpaces(wordsOfHtml(html)) });
  }
  return (section, text) => {
    const chapter = chapters.get(section);
    return chapter?.words.includes(withoutSpaces(text)) === true ? chapter.title : null;
  };
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}
