import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { seedDemo } from "../../src/cli/demo.ts";
import { type BatchItem, saveInBatches } from "../../src/content/editing/batch-saving.ts";
import { openRecord } from "../../src/storage/record/open.ts";

const BATCH_ITEMS = 1000;

/**
 * The folder of a store with the demo and more quotations on its topics, so that there is more behind its
 * pages and lists. It is made once, which takes minutes for a million items, and kept for later runs.
 */
export async function grownStore(items: number, { origin }: { origin: string }): Promise<string> {
  const folder = join(tmpdir(), `commonplace-bench-${items}`);
  const doneFile = join(folder, "whole");
  if (existsSync(doneFile)) return folder;
  rmSync(folder, { recursive: true, force: true });
  const file = join(folder, "commonplace.db");
  await using record = await openRecord({ file, origin });
  await seedDemo(record.content);
  const sources = sourcesIn(file);
  const now = new Date();
  const batches = batchesOf(sources, items - sources.items);
  let done = sources.items;
  for await (const reports of saveInBatches(record.content, { kind: "operator" }, batches, {
    now,
  })) {
    const failed = reports.find(({ outcome }) => outcome === "failed");
    if (failed !== undefined) throw new Error(`Item ${failed.place} was not saved`);
    done += reports.length;
    if (done % 10_000 < BATCH_ITEMS) console.log(`made ${done} of ${items} items`);
  }
  writeFileSync(doneFile, "");
  return folder;
}

interface Sources {
  items: number;
  topics: readonly string[];
  authors: readonly string[];
  texts: readonly string[];
}

function sourcesIn(file: string): Sources {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT type, path, body FROM items ORDER BY id").all();
  db.close();
  const of = (type: string, column: string) =>
    rows.filter((row) => row["type"] === type).map((row) => String(row[column]));
  return {
    items: rows.length,
    topics: of("topic", "path"),
    authors: of("author", "path"),
    texts: of("quotation", "body"),
  };
}

/** Each text combines two of the demo, so that texts have many words and all differ. */
async function* batchesOf(
  { topics, authors, texts }: Sources,
  items: number,
): AsyncGenerator<BatchItem<number>[]> {
  const one = (from: readonly string[], number: number) => from[number % from.length] ?? "";
  for (let first = 0; first < items; first += BATCH_ITEMS) {
    const count = Math.min(BATCH_ITEMS, items - first);
    yield Array.from({ length: count }, (_, offset): BatchItem<number> => {
      const number = first + offset;
      const repetition = Math.floor(number / texts.length);
      return {
        place: number,
        hasStatus: true,
        input: {
          type: "quotation",
          title: `Quotation ${number}`,
          summary: "",
          fields: {},
          sourceKey: `grown:${number}`,
          body: `${one(texts, number)}\n\n${one(texts, number * 7 + repetition)}`,
          status: "published",
          relations: {
            topics: [...new Set([one(topics, number), one(topics, number * 3 + repetition)])],
            authors: [one(authors, number * 5 + repetition)],
          },
        },
      };
    });
  }
}
