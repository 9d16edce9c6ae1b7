import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import type { ReadingCopy } from "../../src/content/library.ts";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import { AppError } from "../../src/errors.ts";
import { cutAtWord } from "../../src/search/language/folding.ts";
import { itemOf, openReading, type ReadingStore, renderFirst } from "../support/reading-store.ts";
import { type Judgements, type Measures, mean, measure } from "./measures.ts";

/** Documents, queries and relevance judgements for measuring search quality. */
export interface Collection {
  documents: readonly z.infer<typeof documentSchema>[];
  /** By id; the original queries, and misspelled ones if the collection has them. */
  queries: ReadonlyMap<string, string>;
  misspelledQueries: ReadonlyMap<string, string>;
  judgements: ReadonlyMap<string, Judgements>;
}

export interface Evaluation extends Measures {
  queries: number;
  /** Queries of which not all words were searched. */
  shortened: number;
  corrected: number;
  millisecondsPerQuery: number;
}

const RANKED_MAX = 100;

/** Items per transaction: each commit costs about as much as a few hundred documents. */
const DOCUMENTS_TOGETHER = 1000;

const idSchema = z.union([z.string(), z.number()]).transform(String);
const textSchema = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const documentSchema = z.object({
  id: idSchema,
  title: textSchema,
  text: textSchema,
  author: textSchema,
  language: z.string().default("en"),
});
const querySchema = z.object({ id: idSchema, text: textSchema });

const DOCUMENT = defineBuiltInType({
  name: "document",
  label: "Document",
  plural: "Documents",
  description: "What a collection is made of.",
  listPath: "/documents",
  fields: { author: { kind: "text", label: "Author" } },
  relations: {},
  defaultSort: "added",
  schemaOrg: "CreativeWork",
});

/**
 * Reads `docs.jsonl`, `queries.jsonl`, `queries-typo.jsonl` (if any) and `qrels.tsv` (query, document,
 * grade, or the four columns of TREC) of a folder; each may be compressed with zstd, then named `….zst`.
 * Titles and texts may be missing, and ids numbers.
 */
export function readCollection(folder: string): Collection {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of linesOf(folder, "qrels.tsv")) {
    const columns = line.split("\t");
    const [query = "", document = "", grade] =
      columns.length < 4 ? columns : columns.toSpliced(1, 1);
    const judged = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, judged.set(document, Number(grade)));
  }
  return {
    documents: linesOf(folder, "docs.jsonl").map((line) => documentSchema.parse(JSON.parse(line))),
    queries: queriesOf(linesOf(folder, "queries.jsonl")),
    misspelledQueries: queriesOf(linesOf(folder, "queries-typo.jsonl")),
    judgements,
  };
}

function queriesOf(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const { id, text } = querySchema.parse(JSON.parse(line));
      return [id, text];
    }),
  );
}

function linesOf(folder: string, name: string): string[] {
  const file = join(folder, name);
  if (existsSync(file)) return splitLines(readFileSync(file, "utf8"));
  if (existsSync(`${file}.zst`)) {
    return splitLines(zstdDecompressSync(readFileSync(`${file}.zst`)).toString());
  }
  if (name === "queries-typo.jsonl") return [];
  throw new Error(`${folder} holds no ${name}: name folders of the shape of test/search/nave-5k`);
}

function splitLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
}

/** A store with the documents as items, written by the product's own writer. */
export async function openCollection({ documents }: Collection): Promise<ReadingStore> {
  const searchMillisecondsMax = Number.POSITIVE_INFINITY;
  const store = openReading([DOCUMENT], { searchMillisecondsMax });
  for (const { text } of documents) await renderFirst(text);
  store.transaction(() => {
    for (const [place, { id, title, text, author, language }] of documents.entries()) {
      const item = itemOf("document", pathOf(id), {
        title: title === "" ? cutAtWord(text, 100) : title,
        body: text,
        fields: author === "" ? {} : { author },
        language,
      });
      store.writer.put(item);
      if (place % DOCUMENTS_TOGETHER === 0) store.flush();
    }
    store.flush();
  });
  return store;
}

/** Runs every judged query through the product's own search. */
export async function evaluate(
  reading: ReadingCopy,
  queries: ReadonlyMap<string, string>,
  judgements: Collection["judgements"],
): Promise<Evaluation> {
  const measures: Measures[] = [];
  let shortened = 0;
  let corrected = 0;
  let milliseconds = 0;
  for (const [id, judged] of judgements) {
    const asked = queries.get(id);
    if (asked === undefined) continue;
    const start = performance.now();
    const page = await ranking(reading, asked);
    milliseconds += performance.now() - start;
    if (page.correctedText !== null) corrected += 1;
    if (page.isShortened) shortened += 1;
    measures.push(measure(page.ids, judged));
  }
  return {
    ...mean(measures),
    queries: measures.length,
    shortened,
    corrected,
    millisecondsPerQuery: milliseconds / Math.max(1, measures.length),
  };
}

/** Invalid queries, such as one that only excludes, find nothing. */
async function ranking(reading: ReadingCopy, text: string) {
  const everything = { types: [], filters: [], links: [], offset: 0, limit: RANKED_MAX };
  try {
    const { hits, correctedText, isShortened } = await reading.search({ ...everything, text });
    return { ids: hits.map(({ path }) => idOf(path)), correctedText, isShortened };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    return { ids: [], correctedText: null, isShortened: false };
  }
}

function pathOf(id: string): string {
  return `/documents/${encodeURIComponent(id)}`;
}

function idOf(path: string): string {
  return decodeURIComponent(path.slice("/documents/".length));
}
