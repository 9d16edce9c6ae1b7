import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runWatched } from "../test/judges/imports/watched-command.ts";
import { corpusAt } from "../test/judges/scale/corpus.ts";
import { writeShortItems } from "./imports/short-items.ts";
import { median } from "./load/comparing.ts";
import { describeMachine } from "./load/machine.ts";

/**
 * Compares imports on the command line with those of an earlier checkout, installed with `npm ci`:
 * `npm run bench:imports -- OTHER_CHECKOUT [FOLDER [TEXTS]]`. FOLDER has quotations, topics and works with their
 * links; without it, they are made up. TEXTS are short texts, one JSON object a line, compressed with zstd.
 * Each checkout imports the same file into an empty site, in turn.
 */
const RATIO_MIN = 1.5;
const MEGABYTES_MAX = 400;
const SECONDS_MAX = 3600;
const [other, corpus, texts] = process.argv.slice(2);
if (other === undefined) {
  throw new Error("Usage: npm run bench:imports -- OTHER_CHECKOUT [FOLDER [TEXTS]]");
}
const folder = mkdtempSync(join(tmpdir(), "bench-imports-"));
const file = join(folder, "items.jsonl");
const rows = [];
try {
  const { first, quotations } = corpusAt(corpus);
  writeFileSync(file, [...first, ...quotations].join(""));
  rows.push(await compared("linked items", { checkout: resolve(other), pairs: 3 }));
  if (texts !== undefined) {
    await writeShortItems(texts, file);
    rows.push(await compared("short items", { checkout: resolve(other), pairs: 1 }));
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.table(rows);
console.log(JSON.stringify(describeMachine()));
process.exitCode = rows.every(({ isWithin }) => isWithin) ? 0 : 1;

async function compared(what: string, { checkout, pairs }: { checkout: string; pairs: number }) {
  const [earlier, now]: [Imported[], Imported[]] = [[], []];
  for (let pair = 0; pair < pairs; pair += 1) {
    earlier.push(await imported(checkout));
    now.push(await imported(process.cwd()));
    console.error(what, JSON.stringify({ earlier: earlier.at(-1), now: now.at(-1) }));
  }
  const created = new Set([...earlier, ...now].map((each) => each.created));
  if (created.size > 1)
    throw new Error(`Not all imports created as many: ${[...created].join(", ")}`);
  const ratio = median(
    now.map(({ perCpuSecond }, at) => perCpuSecond / (earlier[at]?.perCpuSecond ?? 0)),
  );
  const megabytes = Math.max(...now.map((each) => each.megabytes));
  return {
    what,
    items: [...created].join(),
    "earlier, items a CPU second": Math.round(
      median(earlier.map(({ perCpuSecond }) => perCpuSecond)),
    ),
    "now, items a CPU second": Math.round(median(now.map(({ perCpuSecond }) => perCpuSecond))),
    ratio: ratio.toFixed(2),
    "time, ratio": median(
      now.map(({ seconds }, at) => (earlier[at]?.seconds ?? 0) / seconds),
    ).toFixed(2),
    "peak, MB": megabytes,
    isWithin: ratio >= RATIO_MIN && megabytes <= MEGABYTES_MAX,
  };
}

interface Imported {
  created: number;
  perCpuSecond: number;
  seconds: number;
  megabytes: number;
}

async function imported(checkout: string): Promise<Imported> {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const { out, cpuSeconds, seconds, megabytes } = await runWatched(["import", file, "--json"], {
    environment: { DATA_DIR: dataDir, DEMO: "0", LOG_LEVEL: "error" },
    secondsMax: SECONDS_MAX,
    main: join(checkout, "src", "main.ts"),
  });
  rmSync(dataDir, { recursive: true });
  const { created }: { created: number } = JSON.parse(out);
  return { created, perCpuSecond: created / cpuSeconds, seconds, megabytes };
}
