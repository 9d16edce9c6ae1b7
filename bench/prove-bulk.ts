import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readingDump, recordDump } from "../test/support/dumps.ts";
import { sqliteRows } from "../test/support/sqlite-rows.ts";
import { corpusLines } from "./bulk/lines.ts";
import { type Server, sendBulk, startServer } from "./bulk/server.ts";

/**
 * Proves at full size that a bulk ends where one whole run would have, however often the server was
 * killed on the way: `npm run prove:bulk -- [FOLDER] [SEED]`.
 */
const FOLDER = process.argv[2] ?? "../shared/corpus/mid";
const SEED = Number(process.argv[3] ?? 26);
const KILLS = 3;
/** Of a first client that gives up, so that no later block begins and ends where those of the whole run do. */
const FIRST_LINES = 4321;
const PORT = 18_438;

const { first, quotations } = corpusLines(FOLDER);
const folder = mkdtempSync(join(tmpdir(), "commonplace-prove-"));
const clean = join(folder, "clean");
const killed = join(folder, "killed");
await sendAll(clean, quotations);
await sendAll(killed, quotations.slice(0, FIRST_LINES));
for (let kill = 0; kill < KILLS; kill += 1) {
  const after = Math.floor(random(kill) * quotations.length);
  process.stderr.write(`Killing the server after ${after} of ${quotations.length} reports\n`);
  await sendAndKill(killed, after);
}
await sendAll(killed, quotations);
await requireEqualHash((file) => recordDump({ sql: async (query) => sqliteRows(file, query) }));
await requireEqualHash(async (file) => readingDump(file));
rmSync(folder, { recursive: true });
process.stdout.write("The record and the reading copy are the same\n");

async function requireEqualHash(
  dump: (file: string) => Promise<Record<string, string[]>>,
): Promise<void> {
  const expected = await dump(join(clean, "commonplace.db"));
  const found = await dump(join(killed, "commonplace.db"));
  for (const [table, lines] of Object.entries(expected)) {
    const [one, other] = [lines, found[table] ?? []].map(withoutPassing);
    const at = one?.findIndex((line, place) => line !== other?.[place]) ?? -1;
    assert.equal(other?.[at], one?.[at], table);
    assert.equal(other?.length, one?.length, table);
  }
}

/** Each server had a key of its own, and each bulk its time. */
function withoutPassing(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !line.includes('["action","key.issue"]'))
    .map((line) =>
      line
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|key:[0-9a-f-]+/g, "…")
        .replace(/(\["name","updated"\],\["value",)\d+/, "$1"),
    )
    .sort();
}

async function sendAll(dataDir: string, rest: readonly string[]): Promise<void> {
  await using server = await startServer(dataDir, PORT);
  for (const lines of [first, rest]) {
    process.stderr.write(`${JSON.stringify(await sendBulk(server, lines))}\n`);
  }
}

async function sendAndKill(dataDir: string, after: number): Promise<void> {
  await using server: Server = await startServer(dataDir, PORT);
  await sendBulk(server, first);
  let told = 0;
  let killing: Promise<void> | null = null;
  const sending = sendBulk(server, quotations, (lines) => {
    told += lines;
    if (told >= after) killing ??= server.process.kill();
  });
  await sending.catch(() => {});
  await killing;
}

/** A number from 0 to 1, the same for the same seed and place. */
function random(place: number): number {
  const mixed = Math.imul(SEED * 31 + place * 17 + 1, 2_654_435_761) >>> 0;
  return mixed / 2 ** 32;
}
