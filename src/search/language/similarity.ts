/**
 * Edit distance (optimal string alignment), which counts insertions, deletions, substitutions and
 * transpositions. Returns any number above `max` if the distance exceeds `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = nextCosts({ a, b, i }, last, beforeLast);
    if (Math.min(...current) > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** The row of the edit-distance matrix for the first `i` letters of `a`. */
function nextCosts(
  { a, b, i }: { a: string; b: string; i: number },
  last: readonly number[],
  beforeLast: readonly number[],
): number[] {
  const current = [i];
  for (let j = 1; j <= b.length; j++) {
    const change = a[i - 1] === b[j - 1] ? 0 : 1;
    const steps = [(last[j - 1] ?? 0) + change, (last[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1];
    const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    if (isSwap) steps.push((beforeLast[j - 2] ?? a.length) + 1);
    current.push(Math.min(...steps));
  }
  return current;
}

/** Minimum length of a word that is recognized with two typos. The first letter must be right. */
const TWO_SLIPS_CHARACTERS_MIN = 8;

/** The largest number of typos with which a word of this length is still recognized. */
export function maxTyposFor(word: string): number {
  return word.length < TWO_SLIPS_CHARACTERS_MIN ? 1 : 2;
}

/**
 * The edit distance from a misspelled word to another word. Returns a number above `max` if the distance
 * exceeds `max`, or if it exceeds 1 and the first letters differ.
 */
export function typoDistance(word: string, other: string, max: number): number {
  const distance = editDistance(word, other, max);
  return distance > 1 && other[0] !== word[0] ? max + 1 : distance;
}

const WORDS_COMPARED_MAX = 12;

/** A word, and the set of its letters as bits. Some letters share a bit. */
interface Word {
  text: string;
  letters: number;
}

/**
 * The similarity of a name to a query, from 0 to 1. Allows for misspellings and missing words. Expects both
 * as folded words separated by single spaces.
 */
export function nameSimilarity(query: string, name: string): number {
  if (query === name) return 1;
  const queryWords = wordsOf(query);
  const nameWords = wordsOf(name);
  const characters = queryWords.reduce((sum, { text }) => sum + text.length, 0);
  let found = 0;
  for (const word of queryWords) {
    const best = Math.max(...nameWords.map((other) => wordSimilarity(word, other)));
    found += (best * word.text.length) / characters;
  }
  const covered = Math.min(1, queryWords.length / nameWords.length);
  return found * (0.8 + 0.19 * covered);
}

function wordsOf(name: string): Word[] {
  return name.split(" ", WORDS_COMPARED_MAX).map((text) => ({ text, letters: letterBits(text) }));
}

function wordSimilarity(a: Word, b: Word): number {
  if (a.text === b.text) return 1;
  const longer = Math.max(a.text.length, b.text.length);
  const max = longer <= 3 ? 0 : longer <= 5 ? 1 : 2;
  // An edit removes at most one letter, so this cheap check rejects most pairs.
  if (bitCount(a.letters & ~b.letters) > max || bitCount(b.letters & ~a.letters) > max) return 0;
  const distance = editDistance(a.text, b.text, max);
  return distance > max ? 0 : 1 - distance / longer;
}

function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let remaining = bits; remaining !== 0; remaining &= remaining - 1) count++;
  return count;
}
