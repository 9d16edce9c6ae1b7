import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { corpusAt } from "../test/judges/scale/corpus.ts";
import { readingDump, recordDump } from "../test/support/dumps.ts";
import { sqliteRows } from "../test/support/sqlite-rows.ts";
import { type Server, sendBulk, startServer } from "./bulk/server.ts";

/**
 * Proves at full size that a bulk has the same result as an uninterrupted one, however often the server is
 * killed: `npm run prove:bulk -- [FOLDER] [--seed N] [--kills N]`.
 */
const {
  values,
  positionals: [corpus],
} = parseArgs({
  options: {
    seed: { type: "string", default: "26" },
    kills: { type: "string", default: "3" },
  },
  allowPositionals: true,
});
const SEED = Number(values.seed);
const KILLS = Number(values.kills);
/**
 * Lines of a first client that disconnects, so that the later blocks have other boundaries than those of the
 * whole run.
 */
const FIRST_LINES = 4321;
const PORT = 18_438;

const { first, quotations } = corpusAt(corpus);
const folder = mkdtempSync(join(tmpdir(), "commonplace-prove-"));
const cleanFolder = join(folder, "clean");
const killedFolder = join(folder, "killed");
await sendAll(cleanFolder, quotations);
await sendAll(killedFolder, quotations.slice(0, FIRST_LINES));
// In ascending order, so that each kill interrupts items that are new.
const moments = Array.from({ length: KILLS }, (_, kill) => random(kill)).sort((a, b) => a - b);
for (const moment of moments) {
  const after = Math.floor(moment * quotations.length);
  process.stderr.write(`Killing the server after ${after} of ${quotations.length} reports\n`);
  await sendAndKill(killedFolder, after);
}
await sendAll(killedFolder, quotations);
await requireEqualHash((file) => recordDump({ sql: async (query) => sqliteRows(file, query) }));
await requireEqualHash(async (file) => readingDump(file));
rmSync(folder, { recursive: true });
process.stdout.write(`The record and the reading copy are the same after ${KILLS} kills\n`);

async function requireEqualHash(
  dump: (file: string) => Promise<Record<string, string[]>>,
): Promise<void> {
  const expected = await dump(join(cleanFolder, "commonplace.db"));
  const found = await dump(join(killedFolder, "commonplace.db"));
  for (const [table, lines] of Object.entries(expected)) {
    const [one, other] = [lines, found[table] ?? []].map(withoutVolatile);
    const at = one?.findIndex((line, place) => line !== other?.[place]) ?? -1;
    assert.equal(other?.[at], one?.[at], table);
    assert.equal(other?.length, one?.length, table);
  }
}

/** Leaves out keys and times, which differ between servers, and hashes of rows, which cover times. */
function withoutVolatile(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !line.includes('["action","key.issue"]'))
    .map((line) =>
      line
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|key:[0-9a-f-]+/g, "…")
        .replace(/(\["name","updated"\],\["value",)\d+/, "$1")
        .replaceAll(/(\["(?:\w+_)?hash",)-?\d+/g, "$1"),
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
  let reported = 0;
  let killing: Promise<void> | null = null;
  const sending = sendBulk(server, quotations, (lines) => {
    reported += lines;
    if (reported >= after) killing ??= server.process.kill();
  });
  await sending.catch(() => {});
  await killing;
}

/** A number from 0 to 1, equal for the same seed and place. */
function random(place: number): number {
  const hash = Math.imul(SEED * 31 + place * 17 + 1, 2_654_435_761) >>> 0;
  return hash / 2 ** 32;
}
