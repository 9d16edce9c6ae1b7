import {
  decodePostings,
  INDEX_FILE,
  itemsFileName,
  type OccurrenceKind,
  wordsFileName,
} from "../search/index-layout.ts";
import {
  keepLongestWordForms,
  QUERY_WORDS_MAX,
  type QueryWordForm,
  queryWordFormsOf,
} from "./query-words.ts";

/** Limit of files that are searched for words with the same beginning. */
const FILES_PER_BEGINNING = 4;
/**
 * If no text has a query word, the search finds words with the same beginning instead. The beginning
 * must have at least this many letters.
 */
const COMMON_CHARACTERS_MIN = 4;
const ENDING_CHARACTERS_MAX = 3;
const OTHER_ENDING_CHARACTERS_MAX = 1;
/** Words in titles outweigh any number of words in texts. */
const WEIGHTS: Readonly<Record<OccurrenceKind, number>> = { 0: 1, 1: 2, 2: 64, 3: 80 };
/** Deducted if an item has only a longer or similar word instead of the exact word. */
const INEXACT_PENALTY = 0.5;

/** Reads a file of the index by its name. */
export type ReadIndexFile = (name: string) => Promise<string>;

export interface FoundItems {
  /** Numbers of the items that have all words, best first. */
  numbers: number[];
  /** The forms of the query's words that were found in texts. */
  forms: ReadonlySet<string>;
  /** Whether words were ignored because the query has too many. */
  isShortened: boolean;
}

interface WordMatches {
  forms: readonly string[];
  /** Weight of each item, keyed by the number of the item. */
  weights: ReadonlyMap<number, number>;
}

/** Finds the items that have all words of a query. The last word may be incomplete. */
export async function findItems(text: string, read: ReadIndexFile): Promise<FoundItems> {
  const [stopLine = "", firstLine = ""] = (await read(INDEX_FILE)).split("\n");
  const stopWords = new Set(stopLine.split(" "));
  const firstForms = firstLine.split(" ");
  const all = queryWordFormsOf(text);
  const significant = all.filter(({ form }) => !stopWords.has(form));
  const lookups = significant.length === 0 ? all : significant;
  const matches = await Promise.all(
    keepLongestWordForms(lookups).map((word) => matchesOf(word, { firstForms, read })),
  );
  const weights = matches
    .map((word) => word.weights)
    .reduceRight<ReadonlyMap<number, number> | null>(
      (both, word) => (both === null ? word : sumsOfBoth(both, word)),
      null,
    );
  const ranked = [...(weights ?? [])].sort(([a, one], [b, other]) => other - one || a - b);
  return {
    numbers: ranked.map(([number]) => number),
    forms: new Set(matches.flatMap(({ forms }) => forms)),
    isShortened: lookups.length > QUERY_WORDS_MAX,
  };
}

/** Reads the entries of items, as HTML. Omits items that are no longer in the index. */
export async function readListEntries(
  numbers: readonly number[],
  read: ReadIndexFile,
): Promise<string[]> {
  const files = await Promise.all(
    [...new Set(numbers.map(itemsFileName))].map((name) => read(name)),
  );
  const entries = new Map(
    files.flatMap((file) =>
      file.split("\n").map((line): [string, string] => {
        const [number = "", entry = ""] = line.split("\t");
        return [number, entry];
      }),
    ),
  );
  return numbers.flatMap((number) => entries.get(String(number)) ?? []);
}

interface IndexContext {
  firstForms: readonly string[];
  read: ReadIndexFile;
}

async function matchesOf(
  { form, isBeginning }: QueryWordForm,
  { firstForms, read }: IndexContext,
): Promise<WordMatches> {
  const files = await Promise.all(
    filesFor(form, isBeginning, firstForms).map((first) => read(wordsFileName(first))),
  );
  const groups = files.flatMap((file) => file.split("\n")).filter((line) => line !== "");
  const exact = groupsWith(groups, (other) => other === form);
  const longer = isBeginning ? groupsWith(groups, (other) => other.startsWith(form)) : NO_GROUPS;
  const isUnknown = exact.forms.length + longer.forms.length === 0;
  const similar = isUnknown ? groupsWith(groups, (other) => differsInEnding(form, other)) : longer;
  const weights = new Map<number, number>();
  addWeights(weights, similar, INEXACT_PENALTY);
  addWeights(weights, exact, 0);
  return { forms: [...exact.forms, ...similar.forms], weights };
}

/**
 * Finds the index files that can contain `form`, or, if `isBeginning`, longer forms that begin with it.
 * Returns the first form in each file, which names the file.
 */
function filesFor(form: string, isBeginning: boolean, firstForms: readonly string[]): string[] {
  const after = firstForms.findIndex((first) => first > form);
  const from = (after === -1 ? firstForms.length : after) - 1;
  const files = firstForms.slice(from, from + (isBeginning ? FILES_PER_BEGINNING : 1));
  return files.filter((first, at) => at === 0 || first.startsWith(form));
}

interface Groups {
  /** All forms on the lines of the index that have a matching form. A line has the forms of one stem. */
  forms: string[];
  postings: Set<string>;
}

const NO_GROUPS: Groups = { forms: [], postings: new Set() };

function groupsWith(lines: readonly string[], matches: (form: string) => boolean): Groups {
  const found: Groups = { forms: [], postings: new Set() };
  for (const line of lines) {
    const [formList = "", postings = ""] = line.split("\t");
    const forms = formList.split(" ");
    if (!forms.some(matches)) continue;
    found.forms.push(...forms);
    found.postings.add(postings);
  }
  return found;
}

/**
 * True if two forms differ only in their endings. Replaces a comparison of stems, which the script
 * cannot compute. For example, "wasting" finds "waste", and therefore also "wasted", which is on the
 * same line of the index.
 */
function differsInEnding(form: string, other: string): boolean {
  let common = 0;
  while (common < form.length && form[common] === other[common]) common += 1;
  return (
    common >= COMMON_CHARACTERS_MIN &&
    form.length - common <= ENDING_CHARACTERS_MAX &&
    other.length - common <= OTHER_ENDING_CHARACTERS_MAX
  );
}

function addWeights(weights: Map<number, number>, { postings }: Groups, penalty: number): void {
  for (const list of postings) {
    for (const { number, occurrence } of decodePostings(list)) {
      const weight = WEIGHTS[occurrence] - penalty;
      weights.set(number, Math.max(weights.get(number) ?? 0, weight));
    }
  }
}

/** The items that are in both maps, with the sums of their weights. */
function sumsOfBoth(
  one: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
): Map<number, number> {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one];
  const sums = new Map<number, number>();
  for (const [number, weight] of fewer) {
    const second = more.get(number);
    if (second !== undefined) sums.set(number, weight + second);
  }
  return sums;
}
