import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { deserialize } from "node:v8";
import { registerRowHash } from "../../src/storage/sqlite/row-hash.ts";
import type { RecordedWrites } from "./recorded-writes.ts";

/**
 * The limit of a durable write: a program that only repeats recorded transactions on a copy of the store from
 * before them, so that the same rows are stored with the same durability and settings. Its parent sends it a
 * count and receives the CPU time. `write-peer.ts STORE RECORDED`.
 */
const [store, file] = process.argv.slice(2);
const { statements, transactions }: RecordedWrites = deserialize(readFileSync(String(file)));
const db = new DatabaseSync(String(store), { enableForeignKeyConstraints: true });
registerRowHash(db);
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
db.exec("PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 32000");
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
const prepared = statements.map((sql) => db.prepare(sql));
let next = 0;

process.on("message", (count: number) => {
  const some = transactions.slice(next, next + count);
  next += count;
  const before = process.cpuUsage();
  for (const writes of some) {
    begin.get();
    for (const [statement, values] of writes) prepared[statement]?.get(...values);
    commit.get();
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ count: some.length, cpuMicroseconds: (user + system) / some.length });
});
process.send?.("ready");
