import { DatabaseSync } from "node:sqlite";
import { openReading, renderFirst } from "../../test/support/reading-store.ts";
import { itemsOf, textsOf } from "./corpus.ts";

const BLOCK_ITEMS = 1000;

/**
 * Builds the reading copy of a corpus with the product's writer, or a plain FTS5 table for comparison, in a
 * separate process: CORPUS FILE reading|plain.
 */
const [corpus = "", file = "", kind = ""] = process.argv.slice(2);
if (kind === "plain") await buildPlain();
else await buildReading();

async function buildReading(): Promise<void> {
  const store = openReading([], { file });
  const { db, writer } = store;
  db.exec("BEGIN IMMEDIATE");
  let items = 0;
  for await (const item of itemsOf(corpus)) {
    await renderFirst(item.body);
    writer.put(item);
    items += 1;
    if (items % BLOCK_ITEMS !== 0) continue;
    for (const _step of writer.flush());
    if (items % 10_000 === 0) process.stderr.write(`\r${items} items `);
  }
  for (const _step of writer.finish());
  db.exec("COMMIT");
  process.stderr.write("\r");
  process.stdout.write(JSON.stringify({ items, ...spent() }));
  db.close();
}

async function buildPlain(): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
     CREATE VIRTUAL TABLE plain USING fts5(
       title, text, narrow_by UNINDEXED, tokenize = 'porter unicode61');
     BEGIN`,
  );
  const insert = db.prepare("INSERT INTO plain VALUES (?, ?, ?)");
  let items = 0;
  for await (const { title, text, narrowBy } of textsOf(corpus)) {
    insert.run(title, text, narrowBy);
    items += 1;
    if (items % 10_000 === 0) process.stderr.write(`\r${items} plain `);
  }
  db.exec("COMMIT");
  process.stderr.write("\r");
  process.stdout.write(JSON.stringify({ items, ...spent() }));
  db.close();
}

function spent(): { processorSeconds: number; peakMegabytes: number } {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { processorSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMegabytes: maxRSS / 1000 };
}
