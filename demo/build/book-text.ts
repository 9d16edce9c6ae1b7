import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { wordsOfHtml } from "./html-to-markdown.ts";

const sectionSchema = z.object({ id: z.string(), html: z.string() });

/** Answers whether a text stands, word for word, in a chapter of the books of a corpus folder. */
export function readBooks(folder: string): (section: string, text: string) => boolean {
  const lines = zstdDecompressSync(readFileSync(join(folder, "sections.jsonl.zst")))
    .toString()
    .trimEnd()
    .split("\n");
  const chapters = new Map<string, string>();
  for (const line of lines) {
    const { id, html } = sectionSchema.parse(JSON.parse(line));
    chapters.set(id, withoutSpaces(wordsOfHtml(html)));
  }
  return (section, text) => chapters.get(section)?.includes(withoutSpaces(text)) ?? false;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}
