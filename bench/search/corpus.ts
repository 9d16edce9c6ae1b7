import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { constants, createZstdDecompress } from "node:zlib";
import { z } from "zod";
import type { Item } from "../../src/content/items/item.ts";
import { itemOf, type PutOptions } from "../../test/support/reading-store.ts";

const verseSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  work: z.string(),
  lang: z.string().default("en"),
});
type Verse = z.output<typeof verseSchema>;
const topicsSchema = z.object({ id: z.string(), title: z.string() });
const worksSchema = z.array(z.object({ id: z.string(), title: z.string() }));

/** A text of a corpus, with what a filter may ask for: its work, or else its language. */
export interface Text {
  title: string;
  text: string;
  narrowBy: string;
}

/**
 * Published items of a corpus: a folder with `quotations.jsonl`, topics, works and links, or a file with one
 * verse per line, which may be compressed with zstd.
 */
export async function* itemsOf(corpus: string): AsyncGenerator<Item> {
  if (corpus.endsWith(".jsonl") || corpus.endsWith(".zst")) {
    for await (const verse of versesIn(corpus)) yield quotation(verse, {});
    return;
  }
  for (const { id, title } of worksSchema.parse(JSON.parse(read(corpus, "works.json")))) {
    yield itemOf("work", workPath(id), { title });
  }
  const topics = new Map<string, string[]>();
  for (const line of linesOf(read(corpus, "topic_quotation.tsv"))) {
    const [topic = "", verse = ""] = line.split("\t");
    topics.set(verse, [...(topics.get(verse) ?? []), topicPath(topic)]);
  }
  for (const line of linesOf(read(corpus, "topics.jsonl"))) {
    const { id, title } = topicsSchema.parse(JSON.parse(line));
    yield itemOf("topic", topicPath(id), { title });
  }
  for await (const verse of versesIn(join(corpus, "quotations.jsonl"))) {
    const relations = { work: [workPath(verse.work)], topics: topics.get(verse.id) ?? [] };
    yield quotation(verse, { relations });
  }
}

/** Only the verses, as another index would take them. */
export async function* textsOf(corpus: string): AsyncGenerator<Text> {
  const isFolder = !corpus.endsWith(".jsonl") && !corpus.endsWith(".zst");
  for await (const verse of versesIn(isFolder ? join(corpus, "quotations.jsonl") : corpus)) {
    const { title, text } = verse;
    yield { title, text, narrowBy: isFolder ? workPath(verse.work) : verse.lang };
  }
}

function quotation(verse: Verse, more: PutOptions): Item {
  const { id, title, text, lang } = verse;
  return itemOf("quotation", `/quotations/${id.toLowerCase()}`, {
    title,
    body: text,
    language: lang,
    ...more,
  });
}

async function* versesIn(file: string): AsyncGenerator<Verse> {
  const stream = createReadStream(file);
  const input = file.endsWith(".zst")
    ? stream.pipe(createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 27 } }))
    : stream;
  for await (const line of createInterface({ input })) yield verseSchema.parse(JSON.parse(line));
}

function read(folder: string, name: string): string {
  const file = join(folder, name);
  if (!existsSync(file))
    throw new Error(`${folder} holds no ${name}: name a folder or a file of verses`);
  return readFileSync(file, "utf8");
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function workPath(id: string): string {
  return `/works/${id}`;
}

function topicPath(id: string): string {
  return `/topics/${id}`;
}
