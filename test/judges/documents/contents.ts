import { execFileSync } from "node:child_process";
import { z } from "zod";

/** What a text has, as pandoc reads it. */
export interface Contents {
  words: string[];
  notes: number;
  headings: number;
  /** Entries of lists. */
  entries: number;
  tables: number;
  /** Cells with text; Markdown fills the place of merged cells with empty ones. */
  cells: number;
}

const FILLED_CELL = /\{"t":"Align\w+"\},\d+,\d+,\[(?!\])/g;

const node = z.looseObject({ t: z.string(), c: z.unknown().optional() });

/** @param form `docx` or `gfm`. */
export function contentsOf(form: "docx" | "gfm", bytes: Buffer): Contents {
  const words = ["--from", form, "--to", "json"];
  const json = execFileSync("pandoc", words, {
    input: bytes,
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  const found: Contents = {
    ...{ words: [], notes: 0, headings: 0, entries: 0 },
    ...{ tables: 0, cells: 0 },
  };
  const texts: string[] = [];
  read(JSON.parse(json), found, texts);
  return { ...found, words: texts.join("").match(/[\p{L}\p{N}]+/gu) ?? [] };
}

function read(value: unknown, found: Contents, texts: string[]): void {
  const parsed = node.safeParse(value);
  if (!parsed.success) {
    const isObject = typeof value === "object" && value !== null;
    for (const part of isObject ? Object.values(value) : []) read(part, found, texts);
    return;
  }
  const { t, c } = parsed.data;
  const parts: unknown[] = Array.isArray(c) ? c : [];
  count(t, parts, found);
  const space = FORMATS.has(t) ? "" : " ";
  if (t === "Str") texts.push(String(c));
  else if (t.startsWith("Code")) texts.push(` ${parts[1]} `);
  texts.push(space);
  // Addresses of links and pictures are not words.
  read(t === "Link" || t === "Image" ? parts[1] : c, found, texts);
  texts.push(space);
}

function count(kind: string, parts: readonly unknown[], found: Contents): void {
  if (kind === "Note") found.notes += 1;
  if (kind === "Header") found.headings += 1;
  if (kind === "BulletList") found.entries += parts.filter(isEntry).length;
  if (kind === "OrderedList" && Array.isArray(parts[1])) {
    found.entries += parts[1].filter(isEntry).length;
  }
  if (kind !== "Table") return;
  found.tables += 1;
  found.cells += JSON.stringify(parts).match(FILLED_CELL)?.length ?? 0;
}

/** Pandoc reads numbered headings of Word as a list, with what is below each. */
function isEntry(blocks: unknown): boolean {
  const first = node.safeParse(Array.isArray(blocks) ? blocks[0] : undefined);
  return first.data?.t !== "Header";
}

/** They may begin and end within a word. */
const FORMATS: ReadonlySet<string> = new Set(
  "Str Emph Strong Strikeout Underline Superscript Subscript SmallCaps Link Span Quoted".split(" "),
);
