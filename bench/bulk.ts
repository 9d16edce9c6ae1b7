import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { corpusAt } from "../test/judges/scale/corpus.ts";
import { sendBulk, startServer } from "./bulk/server.ts";

/**
 * Sends a bulk through a real server, and loads the same rows directly into SQLite for comparison: `npm run
 * bench:bulk -- [FOLDER]`, a folder with quotations, topics, works and their links; without it, made-up ones. During the bulk, pages
 * are requested and another client writes.
 */
const PORT = 18_437;
const PAGE_READER = new URL("./bulk/page-reader.ts", import.meta.url);
const PAGE_EVERY_MILLISECONDS = 10;
const WRITE_EVERY_MILLISECONDS = 200;

const { first, quotations } = corpusAt(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "commonplace-bulk-"));
const figures = await throughTheServer();
const bare: { items: number; seconds: number; cpuSeconds: number } = JSON.parse(
  execFileSync(
    process.execPath,
    [
      join(import.meta.dirname, "bulk/bare.ts"),
      join(folder, "commonplace.db"),
      join(folder, "bare.db"),
      "quotation",
      "1000",
    ],
    { encoding: "utf8" },
  ),
);
rmSync(folder, { recursive: true });

const row = ({ items, seconds, cpuSeconds }: typeof bare) => ({
  "items/s": Math.round(items / seconds),
  "CPU µs an item": Math.round((cpuSeconds / items) * 1e6),
});
console.table({ bulk: row(figures), "bare SQLite": row(bare) });
console.table({
  "bulk : bare, time": ratio(figures.seconds, bare.seconds),
  "bulk : bare, CPU": ratio(figures.cpuSeconds, bare.cpuSeconds),
  "repeat, items/s": Math.round(figures.items / figures.repeatSeconds),
  "memory before, MB": figures.before,
  "memory at a quarter, MB": figures.quarter,
  "memory at most, MB": figures.most,
  "page p50, ms": percentile(figures.pages, 0.5),
  "page p99, ms": percentile(figures.pages, 0.99),
  "page at most, ms": percentile(figures.pages, 1),
  "turn p99, CPU ms": round(figures.turns.p99Milliseconds),
  "turn at most, CPU ms": round(figures.turns.mostMilliseconds),
  "other write p50, ms": percentile(figures.writes, 0.5),
  "other write at most, ms": percentile(figures.writes, 1),
});

async function throughTheServer() {
  await using service = await startServer(folder, PORT);
  await sendBulk(service, first);
  let isRunning = true;
  const writes: number[] = [];
  const reader = new Worker(PAGE_READER, {
    workerData: { url: `${service.origin}/works`, pauseMilliseconds: PAGE_EVERY_MILLISECONDS },
  });
  const line = `${JSON.stringify({ type: "topic", title: "Other", sourceKey: "other" })}\n`;
  const writer = repeat(
    () => isRunning,
    { taken: writes, pause: WRITE_EVERY_MILLISECONDS },
    async () => {
      await sendBulk(service, [line.replace("Other", `Other ${writes.length}`)]);
    },
  );
  await sleep(500);
  const before = service.process.residentMegabytes();
  let [quarter, most, done] = [0, 0, 0];
  await service.turns();
  const cpu = service.process.cpuSeconds();
  const begun = performance.now();
  await sendBulk(service, quotations, (lines) => {
    done += lines;
    most = Math.max(most, service.process.residentMegabytes());
    if (done < quotations.length / 4) quarter = most;
  });
  const seconds = (performance.now() - begun) / 1000;
  const cpuSeconds = service.process.cpuSeconds() - cpu;
  const turns = await service.turns();
  isRunning = false;
  reader.postMessage("end");
  const [pages]: number[][] = await once(reader, "message");
  await writer;
  if (pages === undefined) throw new Error("No page was requested");
  const again = performance.now();
  await sendBulk(service, quotations);
  const repeatSeconds = (performance.now() - again) / 1000;
  const items = quotations.length;
  return { items, seconds, cpuSeconds, repeatSeconds, before, quarter, most, pages, writes, turns };
}

/** Adds the milliseconds of each run to `taken`. */
async function repeat(
  goesOn: () => boolean,
  { taken, pause }: { taken: number[]; pause: number },
  run: () => Promise<void>,
): Promise<void> {
  while (goesOn()) {
    const begun = performance.now();
    await run();
    taken.push(performance.now() - begun);
    await sleep(pause);
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? 0);
}

function ratio(one: number, other: number): number {
  return round(one / other);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
