import { launch } from "./admin/browser.ts";
import { openEditorsSite } from "./editors/site.ts";
import { type Sums, tellStory } from "./editors/story.ts";
import { seededNumbers } from "./scale/corpus.ts";
import { announce } from "./verdict.ts";

/**
 * Two browsers edit, autosave, publish, withdraw and restore the same items in a random order:
 * `npm run prove:editors -- [STORIES] [SEED]`. Nothing typed may be lost without a word, nothing
 * overwritten that its editor never saw, and no conflict reported where there is none. Needs Chromium.
 */
const [stories = 200, seed = Date.now() % 100_000] = process.argv.slice(2).map(Number);
if (![stories, seed].every(Number.isSafeInteger)) {
  throw new Error("Usage: npm run prove:editors -- [STORIES] [SEED], whole numbers");
}
const PROGRESS_EVERY = 10;

const sums: Sums = { steps: 0, typed: 0, conflicts: 0, lost: [], overwritten: [], alarms: [] };
const browser = await launch();
try {
  await using site = await openEditorsSite(browser);
  for (let number = 0; number < stories; number += 1) {
    await tellStory(site, { seed: seed + number, next: seededNumbers(seed + number) }, sums);
    if ((number + 1) % PROGRESS_EVERY === 0) console.error(`${number + 1} of ${stories} stories`);
  }
} finally {
  await browser.close();
}
console.log(
  `${stories} stories from seed ${seed}: ${sums.steps} steps, ${sums.typed} texts typed, ${sums.conflicts} conflicts shown`,
);
process.exitCode = announce([
  verdict("typed and lost without a word", sums.lost),
  verdict("overwritten unseen", sums.overwritten),
  verdict("conflicts shown where there is none", sums.alarms),
]);

function verdict(what: string, faults: readonly string[]) {
  return {
    what,
    passed: faults.length === 0 && sums.typed > 0,
    detail: faults.length === 0 ? "0" : `${faults.length}:\n${faults.join("\n")}`,
  };
}
