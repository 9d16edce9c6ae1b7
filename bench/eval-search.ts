import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type Evaluation,
  evaluate,
  openCollection,
  readCollection,
} from "../test/search/collection.ts";

/**
 * Measures the quality of search on folders of documents, queries and judgements: `npm run -s eval:search --
 * [DIR…] [--json]`. Without a folder, uses the one among the tests.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const FOLDERS = positionals.length === 0 ? ["test/search/nave-5k"] : positionals;

/**
 * Results of Lucene's BM25 on the collections of BEIR, with title and text as one field
 * (https://castorini.github.io/pyserini/2cr/beir.html), by name of the folder.
 */
const PUBLISHED_BM25: Readonly<Record<string, { ndcgAt10: number; recallAt100: number }>> = {
  arguana: { ndcgAt10: 0.397, recallAt100: 0.932 },
  fiqa: { ndcgAt10: 0.236, recallAt100: 0.539 },
  nfcorpus: { ndcgAt10: 0.322, recallAt100: 0.246 },
  scidocs: { ndcgAt10: 0.149, recallAt100: 0.348 },
  scifact: { ndcgAt10: 0.679, recallAt100: 0.925 },
};

const results = [];
for (const folder of FOLDERS) results.push(await evaluateFolder(folder));
if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
else console.table(Object.fromEntries(results.flatMap(rowsOf)));

async function evaluateFolder(folder: string) {
  const collection = readCollection(folder);
  using store = await openCollection(collection);
  const { queries, misspelledQueries, judgements } = collection;
  const name = basename(resolve(folder));
  return {
    collection: name,
    documents: collection.documents.length,
    asked: await evaluate(store.reading, queries, judgements),
    misspelled:
      misspelledQueries.size === 0
        ? null
        : await evaluate(store.reading, misspelledQueries, judgements),
    publishedBm25: PUBLISHED_BM25[name] ?? null,
  };
}

function rowsOf({ collection, asked, misspelled, publishedBm25 }: Result): [string, object][] {
  const rows: [string, object][] = [[collection, columnsOf(asked)]];
  if (misspelled !== null) rows.push([`${collection}, misspelled`, columnsOf(misspelled)]);
  if (publishedBm25 !== null) {
    const { ndcgAt10, recallAt100 } = publishedBm25;
    rows.push([
      `${collection}, BM25 as published`,
      { "nDCG@10": ndcgAt10.toFixed(4), "Recall@100": recallAt100.toFixed(4) },
    ]);
  }
  return rows;
}

type Result = Awaited<ReturnType<typeof evaluateFolder>>;

function columnsOf(of: Evaluation): object {
  return {
    "nDCG@10": of.ndcgAt10.toFixed(4),
    "Recall@100": of.recallAt100.toFixed(4),
    MRR: of.reciprocalRank.toFixed(4),
    queries: of.queries,
    shortened: of.shortened,
    corrected: of.corrected,
    "ms a query": of.millisecondsPerQuery.toFixed(1),
  };
}
