import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { INHERITED, MAIN } from "../../support/command-line.ts";
import { madeUpLines } from "../desk/made-up-lines.ts";
import { askApi, type KillableSite, makeSite } from "../drafts/site.ts";
import type { Verdict } from "../verdict.ts";

const ROUNDS = 3;
const PAUSE_MILLISECONDS = 10;
const WARM_UP_MILLISECONDS = 3000;
const RATIO_MAX = 1.2;
/** Number of items of the file that are looked up on the site. */
const SAMPLE = 50;

/** The writes of a stretch of time. */
interface Writes {
  milliseconds: number[];
  /** Answers that did not acknowledge the write. */
  refused: number;
}

/** A program that makes objects for so many milliseconds and writes nothing. */
const BUSY = `const end = Date.now() + Number(process.argv[1]);
let kept = [];
while (Date.now() < end) {
  kept.push({ pair: [Math.random(), "x" + kept.length] });
  if (kept.length > 300_000) kept = [];
}`;

/**
 * Times an editor's writes alone, during a dry run of many items, and during a busy process, which shows
 * what sharing the processors costs; each takes the same time. Then checks that the site has no item of the
 * dry run.
 */
export async function judgeBesideWriter(items: number): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-beside-"));
  const dataDir = join(folder, "data");
  const site = await makeSite(dataDir);
  try {
    const file = madeUpLines(folder, items);
    const editor = writerOn(site);
    await editor.whilst(pause(WARM_UP_MILLISECONDS));
    const [alone, beside, besideBusy]: [Writes[], Writes[], Writes[]] = [[], [], []];
    const created: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      const dry = dryRun(file, dataDir);
      beside.push(await editor.whilst(dry));
      created.push((await dry).created);
      const milliseconds = performance.now() - begun;
      alone.push(await editor.whilst(pause(milliseconds)));
      besideBusy.push(await editor.whilst(busyProcess(milliseconds)));
    }
    const kept = await itemsKept(site, file);
    return [
      timeVerdict({ alone, beside, besideBusy }),
      {
        what: "a dry run adds nothing to a site that is written to",
        passed: created.every((count) => count === items) && kept === 0,
        detail: `would create ${created.join(", ")} of ${items}; ${kept} of the first ${SAMPLE} are on the site`,
      },
    ];
  } finally {
    await site.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeVerdict(stretches: Record<"alone" | "beside" | "besideBusy", Writes[]>): Verdict {
  const [without, during] = [percentile99(stretches.alone), percentile99(stretches.beside)];
  const busy = percentile99(stretches.besideBusy);
  const refused = Object.values(stretches)
    .flat()
    .reduce((sum, each) => sum + each.refused, 0);
  return {
    what: "writes beside a dry run, p99",
    passed: refused === 0 && during <= RATIO_MAX * without,
    ...(refused === 0 ? { isOfTime: true } : {}),
    detail: `${during.toFixed(1)} ms, ${without.toFixed(1)} without: ${(during / without).toFixed(2)} of ${RATIO_MAX} times; ${refused} refused; beside a process that only makes objects ${busy.toFixed(1)} ms: ${(busy / without).toFixed(2)} times`,
  };
}

/** One editor, who creates a topic, reads the answer, and goes on. */
function writerOn(site: KillableSite): { whilst(work: Promise<unknown>): Promise<Writes> } {
  let count = 0;
  return {
    whilst: async (work) => {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      const writes: Writes = { milliseconds: [], refused: 0 };
      while (!isOver) {
        count += 1;
        const begun = performance.now();
        const body = { type: "topic", title: `Written beside ${count}` };
        const { status } = await askApi(site, "POST", "/content", { body });
        if (status === 201) writes.milliseconds.push(performance.now() - begun);
        else writes.refused += 1;
        await pause(PAUSE_MILLISECONDS);
      }
      await over;
      return writes;
    },
  };
}

async function dryRun(file: string, dataDir: string): Promise<{ created: number }> {
  const words = [MAIN, "import", file, "--dry-run", "--json"];
  const run = spawn(process.execPath, words, {
    env: { ...INHERITED, DATA_DIR: dataDir, LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  run.stdout.on("data", (piece) => {
    out += piece;
  });
  await once(run, "close");
  return JSON.parse(out);
}

/** Runs the busy program in the idle scheduling class, like a dry run. */
async function busyProcess(milliseconds: number): Promise<void> {
  const words = ["--idle", "0", process.execPath, "-e", BUSY, `${milliseconds}`];
  const [code] = await once(spawn("chrt", words, { stdio: "inherit" }), "close");
  if (code !== 0) throw new Error(`The busy process ended with ${code}`);
}

/** How many of the first items of the file the site has. */
async function itemsKept(site: KillableSite, file: string): Promise<number> {
  let kept = 0;
  for (const line of readFileSync(file, "utf8").split("\n", SAMPLE)) {
    const { sourceKey } = z.object({ sourceKey: z.string() }).parse(JSON.parse(line));
    const { body } = await askApi(
      site,
      "GET",
      `/content?sourceKey=${encodeURIComponent(sourceKey)}`,
    );
    kept += body.items.length;
  }
  return kept;
}

function percentile99(stretches: readonly Writes[]): number {
  const sorted = stretches.flatMap(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
