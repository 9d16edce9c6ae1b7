import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCorrectedAuthors } from "./build/author-corrections.ts";
import { authorItem } from "./build/author-item.ts";
import { readBooks } from "./build/book-text.ts";
import { readCorpus } from "./build/corpus.ts";
import { quotationItems } from "./build/quotation-items.ts";
import { topicItems } from "./build/topic-items.ts";
import { workItem } from "./build/work-item.ts";
import {
  authorTexts,
  doubtedQuotations,
  featuredQuotations,
  topicTexts,
} from "./build/written-texts.ts";

/**
 * Writes the demo's content/*.jsonl from a corpus folder (authors, works, topics, quotations and
 * relations as JSON lines, the books' chapters as compressed ones): `node demo/build.ts FOLDER`. The same folder gives the same bytes.
 */
function build(folder: string): void {
  const corpus = withCorrectedAuthors(readCorpus(folder));
  const content = join(import.meta.dirname, "content");
  mkdirSync(content, { recursive: true });
  const written = authorTexts();
  // Numbered so that an import, which goes by name, meets every item before the links to it.
  const lists: Record<string, readonly object[]> = {
    "1-topics": topicItems(corpus.topics, topicTexts()),
    "2-authors": corpus.authors.map((author) => authorItem(author, written)),
    "3-works": corpus.works.map((work) => workItem(work, corpus)),
    "4-quotations": quotationItems(corpus, {
      find: readBooks(folder),
      featured: featuredQuotations(),
      doubts: doubtedQuotations(),
    }),
  };
  for (const [name, items] of Object.entries(lists)) {
    const lines = items.map((item) => `${JSON.stringify(item)}\n`).join("");
    writeFileSync(join(content, `${name}.jsonl`), lines);
    console.log(`${name}.jsonl: ${items.length} items, ${Buffer.byteLength(lines)} bytes`);
  }
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error("Usage: node demo/build.ts CORPUS_FOLDER");
  process.exitCode = 2;
} else {
  build(folder);
}
