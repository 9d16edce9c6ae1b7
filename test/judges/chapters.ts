import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { openSiteLine } from "../support/command-line.ts";
import { serve } from "../support/served.ts";
import { launch } from "./admin/browser.ts";
import { writeChapters } from "./chapters/write-chapters.ts";
import { type Comparison, compare, shareOf, sumOf } from "./html/compare.ts";
import { contentOf } from "./html/page-content.ts";
import { announce } from "./verdict.ts";

/**
 * Imports the chapters of books with their notes, and compares what Chromium shows of each before and after:
 * `npm run judge:chapters -- FOLDER`, a folder with `sections.jsonl.zst` and `notes.jsonl.zst`.
 */
const WORDS_MIN = 0.999;
const SHOWN_MAX = 10;
const [corpus] = process.argv.slice(2);
if (corpus === undefined) throw new Error("Name the folder of the chapters");

/** What the service makes itself: the marks of notes, their links back, and their heading. */
const MARKS = "a[id^=noteref-], a[href^='#noteref-'], [role=doc-endnotes] > h2";
const SHOWN = { content: "main > h1, main > .text", chrome: ".footnote-ref, .footnote-backref" };

const TABLES = "document.querySelectorAll('main table').length";
const countsSchema = z.object({ notes: z.number(), working: z.number() });
/** Notes of the page, and those whose mark in the text leads to them and to whose mark they lead back. */
const COUNT_NOTES = `(() => {
  const notes = [...document.querySelectorAll(".footnotes li")];
  const leadsTo = (link, id) => decodeURIComponent(link.getAttribute("href").slice(1)) === id;
  const working = notes.filter((note) => {
    const marks = [...document.querySelectorAll(".footnote-ref a")].filter((link) => leadsTo(link, note.id));
    const back = [...note.querySelectorAll("a.footnote-backref")];
    return marks.length > 0 && back.length > 0 && back.every((link) => marks.some((mark) => leadsTo(link, mark.id)));
  });
  return { notes: notes.length, working: working.length };
})()`;

using line = await openSiteLine();
const chapters = writeChapters(corpus, join(line.folder, "chapters"));
const { code, out, err } = await line.spawn("import", "--publish", join(line.folder, "chapters"));
console.log(out.split("\n").slice(0, 3).join("\n"));
if (code !== 0) console.log(err.split("\n").slice(0, SHOWN_MAX).join("\n"));
await using server = await serve(line);
const browser = await launch("chromium-headless-shell");
const context = await browser.newContext({ javaScriptEnabled: false });
// A tab for each, as one that goes between files and the server begins a new process every time.
const tabs = { former: await context.newPage(), own: await context.newPage() };
const compared: { name: string; comparison: Comparison }[] = [];
const lacking: string[] = [];
let working = 0;
const tables = { found: 0, expected: 0 };
for (const { name, notes } of chapters) {
  const { comparison, counts, ...chapter } = await compareChapter(name);
  compared.push({ name, comparison });
  working += counts.working;
  tables.expected += chapter.tables;
  tables.found += Math.min(chapter.tables, chapter.shownTables);
  if (counts.working < notes.length) lacking.push(`${name}: ${counts.working} of ${notes.length}`);
}
await browser.close();

const words = sumOf(compared.map(({ comparison }) => comparison.words));
const notes = chapters.reduce((sum, chapter) => sum + chapter.notes.length, 0);
const distinct = new Set(chapters.flatMap((chapter) => chapter.notes));
for (const { name, comparison } of compared.filter(({ comparison: { words: each } }) => {
  return shareOf(each) < WORDS_MIN;
})) {
  console.log(`  ${name}: ${comparison.lost.words.join(" ").slice(0, 200)}`);
}
for (const each of lacking.slice(0, SHOWN_MAX)) console.log(`  notes of ${each}`);
process.exitCode = announce([
  {
    what: "words",
    passed: shareOf(words) >= WORDS_MIN,
    detail: `${words.found} of ${words.expected} in ${compared.length} chapters`,
  },
  {
    what: "notes that work both ways",
    passed: working === notes && notes > 0,
    detail: `${working} of ${notes}, ${distinct.size} different ones`,
  },
  {
    what: "tables",
    passed: tables.found === tables.expected && tables.expected > 0,
    detail: `${tables.found} of ${tables.expected}`,
  },
]);

async function compareChapter(name: string) {
  await tabs.former.goto(String(pathToFileURL(join(line.folder, "chapters", `${name}.html`))));
  const tables = await tabs.former.evaluate(TABLES);
  const expected = await contentOf(tabs.former, { content: "main", chrome: MARKS });
  await tabs.own.goto(`${server.origin}/${encodeURIComponent(name)}`);
  const counts = countsSchema.parse(await tabs.own.evaluate(COUNT_NOTES));
  const shownTables = await tabs.own.evaluate(TABLES);
  const shown = await contentOf(tabs.own, SHOWN);
  return {
    comparison: compare(expected, shown),
    counts,
    tables: Number(tables),
    shownTables: Number(shownTables),
  };
}
