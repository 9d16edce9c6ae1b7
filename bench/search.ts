import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import type { ReadingCopy } from "../src/content/library.ts";
import { openReadingCopy } from "../src/storage/reading/open.ts";
import { type Question, questionsOf } from "./search/questions.ts";

/**
 * Measures what a search costs on folders or files of verses, compared with the plain FTS5 query that returns
 * the same page: `npm run -s bench:search -- CORPUS… [--count N] [--store DIR] [--alone] [--json]`. With
 * `--store`, stores are built once and reused. `--alone` leaves out FTS5, which takes more than 20 minutes to
 * build at a million items.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    alone: { type: "boolean", default: false },
    count: { type: "string", default: "100" },
    json: { type: "boolean", default: false },
    store: { type: "string" },
  },
});
const PAGE_HITS = 10;

const results = [];
for (const corpus of positionals) results.push(await measureCorpus(resolve(corpus)));
if (positionals.length === 0) throw new Error("Name a folder or a file of verses to search");
if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
else for (const result of results) print(result);

async function measureCorpus(corpus: string) {
  const name = basename(corpus).replace(/\..*$/, "");
  const folder = values.store ? join(values.store, name) : mkdtempSync(join(tmpdir(), "bench-"));
  mkdirSync(folder, { recursive: true });
  const reading = built(corpus, folder, "reading");
  const plain = values.alone ? null : built(corpus, folder, "plain");
  const questions = await questionsOf(corpus, {
    count: Number(values.count),
    texts: reading.items,
  });
  globalThis.gc?.();
  const shapes = await measureShapes(questions, {
    reading: reading.file,
    plain: plain?.file ?? null,
  });
  if (!values.store) rmSync(folder, { recursive: true });
  return {
    corpus: name,
    reading: withoutFile(reading),
    plain: plain === null ? null : withoutFile(plain),
    ...shapes,
  };
}

interface Built {
  file: string;
  items: number;
  seconds: number;
  /** CPU time, so that other programs matter little. */
  processorSeconds: number;
  megabytes: number;
  /** Peak of the resident memory during the build. */
  peakMegabytes: number;
}

function built(corpus: string, folder: string, kind: "reading" | "plain"): Built {
  const file = join(folder, `${kind}.db`);
  const note = join(folder, `${kind}.json`);
  if (existsSync(note)) return { file, ...JSON.parse(readFileSync(note, "utf8")) };
  const start = performance.now();
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "search/build.ts"), corpus, file, kind],
    { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`Cannot build ${file}`);
  const seconds = (performance.now() - start) / 1000;
  const made = { ...JSON.parse(stdout), seconds, megabytes: statSync(file).size / 1e6 };
  writeFileSync(note, JSON.stringify(made));
  return { file, ...made };
}

function withoutFile({ file: _, ...made }: Built): Omit<Built, "file"> {
  return made;
}

async function measureShapes(
  questions: Record<string, Question[]>,
  files: { reading: string; plain: string | null },
) {
  const residentBefore = process.memoryUsage.rss();
  const ours = await measureReading(questions, files.reading);
  const resident = process.memoryUsage.rss();
  const theirs = files.plain === null ? null : await measurePlain(questions, files.plain);
  const shapes: Record<string, Compared> = {};
  for (const shape of Object.keys(questions)) {
    shapes[shape] = compareTimes(ours.get(shape) ?? [], theirs?.get(shape) ?? null);
  }
  const all = compareTimes([...ours.values()].flat(), theirs && [...theirs.values()].flat());
  return {
    shapes: { ...shapes, "all of them": all },
    memory: { residentMegabytes: resident / 1e6, beforeMegabytes: residentBefore / 1e6 },
  };
}

type Times = Map<string, number[]>;

async function measureReading(questions: Record<string, Question[]>, file: string): Promise<Times> {
  using reading = openReadingCopy({ file });
  const shapes: Times = new Map();
  for (const [shape, asked] of Object.entries(questions)) {
    for (const question of asked.slice(0, 10)) await ask(reading, question);
    const times: number[] = [];
    for (const question of asked) times.push(await milliseconds(() => ask(reading, question)));
    shapes.set(shape, times);
  }
  return shapes;
}

async function measurePlain(questions: Record<string, Question[]>, file: string): Promise<Times> {
  using plain = new DatabaseSync(file, { readOnly: true });
  const shapes: Times = new Map();
  for (const [shape, asked] of Object.entries(questions)) {
    const times: number[] = [];
    for (const question of asked) times.push(await milliseconds(() => askPlain(plain, question)));
    shapes.set(shape, times);
  }
  return shapes;
}

async function ask(reading: ReadingCopy, { query }: Question): Promise<number> {
  const page = await reading.search({
    types: [],
    filters: [],
    limit: PAGE_HITS,
    offset: 0,
    ...query,
  });
  return page.hits.length;
}

/** Title and snippet of the first ten results by BM25. */
function askPlain(db: DatabaseSync, { plain: { match, narrowBy } }: Question): number {
  const narrow = narrowBy === null ? "" : "AND narrow_by = ?";
  return db
    .prepare(
      `SELECT title, snippet(plain, 1, '[', ']', '…', 40) FROM plain
       WHERE plain MATCH ? ${narrow} ORDER BY rank LIMIT ${PAGE_HITS}`,
    )
    .all(match, ...(narrowBy === null ? [] : [narrowBy])).length;
}

/** CPU time, so that other programs matter little. */
async function milliseconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

interface Latencies {
  p50: number;
  p95: number;
  p99: number;
}

/** Our times, and their ratio to plain FTS5; null without it. */
type Compared = Latencies & { ratio: number | null };

function compareTimes(ours: readonly number[], theirs: readonly number[] | null): Compared {
  return { ...latencies(ours), ratio: theirs && mean(ours) / mean(theirs) };
}

function latencies(times: readonly number[]): Latencies {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function mean(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
}

function print(result: Awaited<ReturnType<typeof measureCorpus>>): void {
  const { corpus, reading, plain, shapes, memory } = result;
  const sizeText = (made: Omit<Built, "file">) =>
    `${made.items} items in ${made.seconds.toFixed(0)} s (${made.processorSeconds.toFixed(0)} of the processor), ${made.megabytes.toFixed(0)} MB, ${made.peakMegabytes.toFixed(0)} MB of memory at most`;
  const peer = plain === null ? "" : ` (plain FTS5: ${sizeText(plain)})`;
  process.stdout.write(`${corpus}: ${sizeText(reading)}${peer}, `);
  process.stdout.write(
    `${memory.residentMegabytes.toFixed(0)} MB resident (${memory.beforeMegabytes.toFixed(0)} MB before)\n`,
  );
  console.table(
    Object.fromEntries(
      Object.entries(shapes).map(([shape, { p50, p95, p99, ratio }]) => [
        shape,
        {
          "p50 ms": p50.toFixed(2),
          "p95 ms": p95.toFixed(2),
          "p99 ms": p99.toFixed(2),
          "of plain FTS5": ratio?.toFixed(2) ?? "–",
        },
      ]),
    ),
  );
}
