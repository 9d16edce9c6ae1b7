import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const authorSchema = z.object({
  id: z.string(),
  name: z.string(),
  sort_name: z.string(),
  links: z.array(z.url()),
  source: z.enum(["standardebooks", "quotable"]),
  description: z.string().optional(),
});

const workSchema = z.object({
  id: z.string(),
  title: z.string(),
  authors: z.array(z.string()),
  translators: z.array(z.string()),
  language: z.string(),
  description: z.string(),
  long_description_html: z.string(),
  genres: z.array(z.string()),
  sources: z.array(z.url()),
  links: z.array(z.url()),
  source_repository: z.string().startsWith("standardebooks/"),
  commit: z.string(),
  license: z.string(),
  topics: z.array(z.string()),
});

const topicSchema = z.object({ id: z.string(), title: z.string() });

const quotationSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  html: z.string(),
  author: z.string(),
  work: z.string().nullable(),
  /** The chapter the text is said to come from. */
  section: z.string().nullable(),
  locator: z.string().nullable(),
  topics: z.array(
    z.object({ topic: z.string(), basis: z.enum(["editor-tag", "essay-title", "keyword"]) }),
  ),
  /** `standardebooks`, or `quotable:` and the id there. */
  source: z.string(),
});

const relationSchema = z.object({
  from: z.string(),
  to: z.string(),
  type: z.enum(["has-note", "about", "mentions"]),
});

export type CorpusAuthor = z.output<typeof authorSchema>;
export type CorpusWork = z.output<typeof workSchema>;
export type CorpusTopic = z.output<typeof topicSchema>;
export type CorpusQuotation = z.output<typeof quotationSchema>;
export type CorpusRelation = z.output<typeof relationSchema>;

export interface Corpus {
  authors: CorpusAuthor[];
  works: CorpusWork[];
  topics: CorpusTopic[];
  quotations: CorpusQuotation[];
  relations: CorpusRelation[];
}

/** Reads the five lists of a corpus folder whole; a line of another shape stops the build. */
export function readCorpus(folder: string): Corpus {
  return {
    authors: readLines(join(folder, "authors.jsonl"), authorSchema),
    works: readLines(join(folder, "works.jsonl"), workSchema),
    topics: readLines(join(folder, "topics.jsonl"), topicSchema),
    quotations: readLines(join(folder, "quotations.jsonl"), quotationSchema),
    relations: readLines(join(folder, "relations.jsonl"), relationSchema),
  };
}

function readLines<S extends z.ZodType>(file: string, schema: S): z.output<S>[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const parsed = schema.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data;
      throw new Error(`${file}:${index + 1}: ${z.prettifyError(parsed.error)}`);
    });
}
