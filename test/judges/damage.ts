import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { App } from "../../src/app/options.ts";
import { HASHED_READING_TABLES } from "../../src/storage/reading/hashed-rows.ts";
import { HASHED_RECORD_TABLES } from "../../src/storage/record/content/record-hashes.ts";
import { differsInAddressesOnly, hasOnlyWordsOf, withoutTokens } from "./damage/differences.ts";
import { alteredTables, isFound, itemIds, unlistedItems, writeFlipped } from "./damage/flipping.ts";
import { listedEntries } from "./damage/listed-entries.ts";
import { allLines, linesOf } from "./damage/site-lines.ts";
import {
  entriesOfList,
  homeLines,
  indexLines,
  makeStore,
  openService,
  type Question,
  questionsFor,
} from "./damage/store.ts";
import { answersWithout } from "./damage/without-items.ts";
import { seededNumbers } from "./scale/corpus.ts";
import { announce } from "./verdict.ts";

/**
 * Flips one bit in a used page of many stores, and 40 bits in some. Opens the service on each and compares
 * its answers with those of the undamaged store: `npm run prove:damage -- [STORES] [SEED]`.
 */
const STORES = Number(process.argv[2] ?? 500);
const SEED = Number(process.argv[3] ?? Date.now() % 100_000);
if (!Number.isInteger(STORES) || !Number.isInteger(SEED)) {
  throw new Error("Usage: npm run prove:damage -- [STORES] [SEED], both whole numbers");
}
/** 16 of 500 stores. */
const STORES_FOR_EACH_HEAVY = 31;
const HEAVY_BITS = 40;
const ERROR_LEVEL = 50;
const DETAIL_CHARACTERS_MAX = 1500;
/** Rows of relations begin with the id of their item. */
const LOST_ITEMS = /"part":"record","table":"items","row":null.*is damaged/;
const REPORTED_ITEM = /"part":"record","table":"(?:items|relations)","row":"([\w-]+).*is damaged/;

const next = seededNumbers(SEED);
const heavy = Math.max(1, Math.round(STORES / STORES_FOR_EACH_HEAVY));
const { dataDir, key } = await makeStore();
const file = join(dataDir, "commonplace.db");
const questions = questionsFor(dataDir, key);
/** Of all items; an item whose id is altered is reported under another. */
const ids = itemIds(file);
const truth = new Map<string, string>();
const siteLines = new Set<string>();
const linesOfHome = new Set<string>();
const counts = {
  answers: 0,
  same: 0,
  refused: 0,
  absent: 0,
  cutOff: 0,
  incomplete: 0,
  leftOut: 0,
  otherChoice: 0,
  otherAddresses: 0,
  startsRefused: 0,
  withoutEffect: 0,
  found: 0,
};
/** Stores in which only rows without a hash differ, which no check can detect. */
const beyond = new Map<string, number>();
const hashed = new Set([...HASHED_READING_TABLES, ...HASHED_RECORD_TABLES].map(({ name }) => name));
const altered: string[] = [];
const unfound: string[] = [];
const failures: string[] = [];
const refusedStarts: string[] = [];
/** The latest line of the log at level `error`. */
let lastError = "";
/** Ids of the damaged items that the log reports for the present store. */
const reported = new Set<string>();
/** Lines of the whole undamaged site; read when first needed, as it takes long. */
let knownLines: Promise<Set<string>> | null = null;
// A judge that ends before its verdict has failed.
process.exitCode = 1;

await walkTruth();
const siteWords = allWords();
// Installed only now, as an earlier failure must end the judge.
process.on("uncaughtException", (error) => failures.push(String(error)));
for (let store = 0; store < STORES + heavy; store += 1) {
  await judge(store, store < STORES ? 1 : HEAVY_BITS);
  if ((store + 1) % 20 === 0) tell(`${store + 1} stores`);
}
rmSync(dataDir, { recursive: true });
process.exitCode = announce([
  {
    what: `${STORES} stores with one bit, ${heavy} with ${HEAVY_BITS}, seed ${SEED}: altered content with 200`,
    passed: altered.length === 0,
    detail: altered.slice(0, 5).join("; ") || `none in ${counts.answers} answers`,
  },
  {
    what: "the process lives",
    passed: failures.length === 0,
    detail: failures.slice(0, 3).join("; ") || "no exception reached the event loop",
  },
  {
    what: "damage to structure and rows with a hash is found by the sweep's checks",
    passed: unfound.length === 0,
    detail: unfound.slice(0, 5).join("; ") || `${counts.found} found`,
  },
  {
    what: "not found, in rows that have no hash",
    passed: true,
    detail: [...beyond].map(([table, stores]) => `${table} ${stores}`).join("; ") || "none",
  },
  { what: "starts refused", passed: true, detail: refusedStarts.join("; ") || "none" },
  { what: "counts", passed: true, detail: JSON.stringify(counts) },
]);
process.exit();

async function walkTruth(): Promise<void> {
  const app = await openService(dataDir, () => {});
  for (const question of questions) {
    const answer = await question.ask(app);
    if (answer.status !== 200) throw new Error(`${question.name}: ${answer.status}`);
    truth.set(question.name, withoutTokens(await answer.text()));
  }
  for (const line of await indexLines(app)) siteLines.add(line);
  for (const line of await homeLines(app)) linesOfHome.add(line);
  await app.close();
}

async function judge(store: number, bits: number): Promise<void> {
  const folder = join(dataDir, `damaged-${store}`);
  mkdirSync(folder);
  const copy = join(folder, "commonplace.db");
  writeFlipped(file, copy, { bits, next });
  const isFoundNow = isFound(copy);
  const differing: Differing[] = [];
  // Slow, and needed only if no check finds anything.
  const tables = isFoundNow ? [] : alteredTables(file, copy);
  let isLogged = false;
  reported.clear();
  try {
    await using app = await openService(folder, (line) => {
      isLogged ||= line.includes("is damaged");
      const [, id] = REPORTED_ITEM.exec(line) ?? [];
      if (id !== undefined) reported.add(id);
      const isOther = id !== undefined && !ids.has(id);
      if (isOther || LOST_ITEMS.test(line)) {
        for (const lost of unlistedItems(file, copy)) reported.add(lost);
      }
      if (JSON.parse(line).level >= ERROR_LEVEL) lastError = line;
    });
    for (const question of questions) await compare(app, question, differing);
  } catch (error) {
    counts.startsRefused += 1;
    refusedStarts.push(error instanceof Error ? error.message : String(error));
    if (!(error instanceof Error)) failures.push(String(error));
  }
  await judgeDiffering(differing, folder, `store ${store}`);
  if (isFoundNow || isLogged) counts.found += 1;
  else if (tables.length === 0) counts.withoutEffect += 1;
  else if (!tables.some((table) => hashed.has(table))) note(tables.join(", "));
  else unfound.push(`store ${store}: ${tables.join(", ")}`);
  rmSync(folder, { recursive: true });
}

/** An answer that is not that of the undamaged store. */
interface Differing {
  name: string;
  text: string;
}

async function compare(app: App, question: Question, differing: Differing[]): Promise<void> {
  const answer = await question.ask(app);
  // A stream that meets damage is cut off, which clients notice.
  const text = await answer.text().then(withoutTokens, () => null);
  counts.answers += 1;
  const expected = truth.get(question.name) ?? "";
  if (text === null) counts.cutOff += 1;
  else if (answer.status !== 200 || isToolRefusal(text)) {
    countRefusal(answer.status, question.name);
  } else if (text === expected) counts.same += 1;
  else if (hasOnlyWordsOf(text, expected)) counts.incomplete += 1;
  else if (isOtherChoice(question.name, text)) counts.otherChoice += 1;
  else if (differsInAddressesOnly(text, expected)) counts.otherAddresses += 1;
  else differing.push({ name: question.name, text });
}

/**
 * A new reading copy leaves out the damaged items that the log reports: the answers must then be those of the
 * undamaged store without these items.
 */
async function judgeDiffering(
  differing: readonly Differing[],
  folder: string,
  where: string,
): Promise<void> {
  const names = differing.map(({ name }) => name);
  const without =
    names.length === 0 || reported.size === 0
      ? new Map<string, string>()
      : await answersWithout(reported, {
          ...{ file, folder: join(folder, "without") },
          questions: questions.filter(({ name }) => names.includes(name)),
        });
  for (const { name, text } of differing) {
    const expected = without.get(name);
    const isExplained =
      expected !== undefined && (text === expected || hasOnlyWordsOf(text, expected));
    if (isExplained) counts.leftOut += 1;
    else if ((await isListedElsewhere(name, text)) || (await isShownElsewhere(text))) {
      counts.otherChoice += 1;
    } else {
      const difference = firstDifference(text, expected ?? truth.get(name) ?? "");
      noteAltered(`${where}: ${name}, ${difference}; without ${reported.size} reported items`);
    }
  }
}

function countRefusal(status: number, where: string): void {
  if (status === 404 || status === 410) counts.absent += 1;
  else if (status >= 500 && status !== 503) {
    noteAltered(`${where} answers ${status}, ${lastError}`);
  } else counts.refused += 1;
}

/** Printed immediately, because a whole run takes an hour. */
function noteAltered(what: string): void {
  altered.push(what.slice(0, DETAIL_CHARACTERS_MAX));
  tell(what.slice(0, DETAIL_CHARACTERS_MAX));
}

function note(tables: string): void {
  beyond.set(tables, (beyond.get(tables) ?? 0) + 1);
}

function isToolRefusal(text: string): boolean {
  return text.includes('"isError":true');
}

function firstDifference(text: string, expected: string): string {
  const [lines, others] = [text.split("\n"), expected.split("\n")];
  const at = lines.findIndex((line, place) => line !== others[place]);
  const difference = `"${lines[at]?.slice(0, 200)}" instead of "${others[at]?.slice(0, 200)}"`;
  return `line ${at + 1}: ${difference}; new words: ${unknownWords(text).slice(0, 5).join(", ")}`;
}

/**
 * If a damaged index hides an item of a list, the next takes its place. The undamaged site must show each line
 * somewhere; that an item belongs to the list is checked by the service itself.
 */
async function isShownElsewhere(text: string): Promise<boolean> {
  knownLines ??= allLines(file);
  const known = await knownLines;
  return linesOf(text).every((line) => known.has(line));
}

/** The same for lists of the API and of tools, whose entries must all stand on some page of the list. */
async function isListedElsewhere(name: string, text: string): Promise<boolean> {
  const question = questions.find((each) => each.name === name);
  const [list, expected] = [listedEntries(text), listedEntries(truth.get(name) ?? "")];
  if (question === undefined || list === null || list.rest !== expected?.rest) return false;
  await using app = await openService(dataDir, () => {});
  const known = await entriesOfList(app, question);
  const unknown = list.entries.find((entry) => !known.has(entry));
  if (unknown !== undefined) tell(`${name} lists ${unknown.slice(0, DETAIL_CHARACTERS_MAX)}`);
  return unknown === undefined;
}

/**
 * The home page shows the day's quotation, and overviews and lists have room for some items only. If a
 * damaged index hides one of them, the next takes its place. The undamaged store must show each of them
 * somewhere, including numbers.
 */
function isOtherChoice(name: string, text: string): boolean {
  if (name === "/") return text.split("\n").every((line) => linesOfHome.has(line));
  return name.includes("llms") && text.split("\n").every((line) => siteLines.has(line));
}

function unknownWords(text: string): string[] {
  return wordsOf(text).filter((word) => !siteWords.has(word));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Every word of the items and of the answers of the undamaged store. */
function allWords(): Set<string> {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT path, title, summary, body, fields FROM items").all();
  const texts = rows.flatMap((row) => Object.values(row).map(String));
  return new Set([...texts, ...truth.values()].flatMap(wordsOf));
}

function tell(line: string): void {
  process.stderr.write(`${line}, ${JSON.stringify(counts)}\n`);
}
