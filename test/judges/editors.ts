import type { Browser } from "playwright-core";
import { launch } from "./admin/browser.ts";
import { openEditorsSite } from "./editors/site.ts";
import { type Sums, tellStory } from "./editors/story.ts";
import { seededNumbers } from "./scale/corpus.ts";
import { announce } from "./verdict.ts";

/**
 * Two browsers edit, autosave, publish, withdraw and restore the same items in random order: `npm run
 * prove:editors -- [STORIES] [SEED]`. Nothing typed may be lost without a warning, nothing may be overwritten
 * that its editor has not seen, and no conflict may be reported where there is none. Needs Chromium's
 * headless shell.
 */
const [stories = 200, seed = Date.now() % 100_000] = process.argv.slice(2).map(Number);
if (![stories, seed].every(Number.isSafeInteger)) {
  throw new Error("Usage: npm run prove:editors -- [STORIES] [SEED], whole numbers");
}
const PROGRESS_EVERY = 10;
/** Stories that run concurrently. In each, only one browser or the server is busy at a time. */
const LANES = 2;

const sums: Sums = { steps: 0, typed: 0, conflicts: 0, lost: [], overwritten: [], alarms: [] };
let begun = 0;
let told = 0;
const browser = await launch("chromium-headless-shell");
const start = performance.now();
try {
  await Promise.all(Array.from({ length: LANES }, () => tellStories(browser)));
} finally {
  await browser.close();
}
const seconds = (performance.now() - start) / 1000;
console.log(
  `${stories} stories from seed ${seed}: ${sums.steps} steps, ${sums.typed} texts typed, ${sums.conflicts} conflicts shown, ${(seconds / stories).toFixed(1)} s a story`,
);
process.exitCode = announce([
  verdict("typed and lost without a word", sums.lost),
  verdict("overwritten unseen", sums.overwritten),
  verdict("conflicts shown where there is none", sums.alarms),
]);

/** Runs stories on a separate site until all have run. */
async function tellStories(browser: Browser): Promise<void> {
  await using site = await openEditorsSite(browser);
  while (begun < stories) {
    const own = seed + begun;
    begun += 1;
    await tellStory(site, { seed: own, next: seededNumbers(own) }, sums);
    told += 1;
    if (told % PROGRESS_EVERY === 0) console.error(`${told} of ${stories} stories`);
  }
}

function verdict(what: string, faults: readonly string[]) {
  return {
    what,
    passed: faults.length === 0 && sums.typed > 0,
    detail: faults.length === 0 ? "0" : `${faults.length}:\n${faults.join("\n")}`,
  };
}
