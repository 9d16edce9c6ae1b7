import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";

const sectionSchema = z.object({
  work: z.string(),
  position: z.number(),
  title: z.string(),
  html: z.string(),
});
const noteSchema = z.object({ id: z.string(), html: z.string() });

export interface WrittenChapter {
  /** The file's name without its extension. */
  name: string;
  /** The notes below the text, by work: `work#note-12`. */
  notes: readonly string[];
}

/** The mark of a note. Other links to notes only mention them. */
const MARK = /\bid="noteref-([^"]+)"/g;
const ACROSS_FILES = /href="[^"#]*\.xhtml#/g;
/** A dialogue whose books make a page each would be more than a page may have. */
const WHOLE_CHARACTERS_MAX = 900_000;
const BOOKS = /(?=<section id="[a-z]+-book-\d+")/;

/**
 * Writes each chapter of a folder's books as a page of HTML, with the notes that it and its notes have marks
 * of below it, as books do that are one page.
 */
export function writeChapters(corpus: string, folder: string): WrittenChapter[] {
  mkdirSync(folder, { recursive: true });
  const notes = new Map(
    rows(corpus, "notes.jsonl.zst", noteSchema).map(({ id, html }) => [id, html]),
  );
  return rows(corpus, "sections.jsonl.zst", sectionSchema).flatMap(
    ({ work, position, title, html }) => {
      const noteOf = (name: string) => notes.get(`${work}#${name}`);
      const parts = html.length > WHOLE_CHARACTERS_MAX ? html.split(BOOKS) : [html];
      return parts.map((part, at) => {
        const names = notesBelow(part, noteOf);
        const list = names.map((name) => `<li id="${name}">${noteOf(name) ?? ""}</li>`);
        const below = `<section role="doc-endnotes"><h2>Endnotes</h2><ol>${list.join("\n")}</ol></section>`;
        const body = (part + (names.length > 0 ? below : "")).replaceAll(ACROSS_FILES, 'href="#');
        const name = `${work}-${position}${parts.length > 1 ? `-${at}` : ""}`;
        const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title.replaceAll(/[<&]/g, "")}</title></head><body><main>${body}</main></body></html>`;
        writeFileSync(join(folder, `${name}.html`), page);
        return { name, notes: names.map((each) => `${work}#${each}`) };
      });
    },
  );
}

function rows<Row>(corpus: string, file: string, schema: z.ZodType<Row>): Row[] {
  const text = zstdDecompressSync(readFileSync(join(corpus, file))).toString();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

/** The notes that a text has marks of, and those that these have marks of. */
function notesBelow(html: string, noteOf: (name: string) => string | undefined): string[] {
  const found = new Set<string>();
  const pending = [html];
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    for (const [, number = ""] of text.matchAll(MARK)) {
      const note = noteOf(`note-${number}`);
      if (note === undefined || found.has(`note-${number}`)) continue;
      found.add(`note-${number}`);
      pending.push(note);
    }
  }
  return [...found];
}
