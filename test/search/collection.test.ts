import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { evaluate, openCollection, readCollection } from "./collection.ts";

it("evaluates folders with numeric ids, missing texts and unjudged queries", async () => {
  const folder = mkdtempSync(join(tmpdir(), "collection-"));
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\r\n");
  const documents = [
    { id: 1, title: "", text: "The cat sat on the mat" },
    { id: 2, title: "Dogs", text: null },
    { id: 3, text: "Fish" },
    { id: "a/b ü", title: "Die Häuser", language: "de" },
    { id: 5 },
  ];
  const queries = [
    { id: 1, text: "cats" },
    { id: 2, text: "dog" },
    { id: 3, text: "fish" },
    { id: 3, text: "fish" },
    { id: 4, text: "Haus" },
    { id: 5, text: "judged by nobody" },
    { id: 6, text: "-cat" },
  ];
  writeFileSync(join(folder, "docs.jsonl"), `\ufeff${lines(documents)}\r\n\r\n`);
  writeFileSync(join(folder, "queries.jsonl"), lines(queries));
  const judged = [
    "1\t1\t2",
    "2\t0\t2\t1",
    "3\t3\t1",
    "4\ta/b ü\t1",
    "6\t1\t1",
    "asked by nobody\t1\t1",
  ];
  writeFileSync(join(folder, "qrels.tsv"), judged.join("\n"));
  const collection = readCollection(folder);
  using store = await openCollection(collection);
  const result = await evaluate(store.reading, collection.queries, collection.judgements);
  assert.deepEqual(
    { ...result, millisecondsPerQuery: 0 },
    {
      ndcgAt10: 0.8,
      recallAt100: 0.8,
      reciprocalRank: 0.8,
      queries: 5,
      shortened: 0,
      corrected: 0,
      millisecondsPerQuery: 0,
    },
  );
});
