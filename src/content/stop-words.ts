import { foldText } from "./folding.ts";
import type { Word } from "./words.ts";

/** English words too frequent to tell items apart (Lucene's list, question words added); folded. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about an and any are as at be been being but by can could did do does for from had has have " +
    "he her him his how i if in into is it its may me my no not of on or our she should so such t " +
    "than that the their them then there these they this those to was we were what when where which " +
    "while who whom whose why will with would you your"
  ).split(" "),
);

/** Words people ask with, which say nothing in front of a stop word (`find articles about`). */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    "all also am anything article articles concern concerned concerning concerns d deal dealing " +
    "deals describe described describes describing description descriptions discuss discussed " +
    "discusses discussing discussion discussions document documents don either especially every " +
    "everything examples exist existing exists find finding get give help information interest " +
    "interested know let like list ll look looking m mainly material need only paper papers " +
    "particular particularly please possibly provide rather re read recommend reference " +
    "references regarding related relating report reports results search see show some something " +
    "studies study tell text texts us ve want wish write written"
  ).split(" "),
);

const SENTENCE_END = /[.?!;:]\s/u;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(foldText(word));
}

/**
 * The words of a question without what only asks: at the start of each sentence a run of asking words
 * and stop words is left out up to its last stop word (`I am interested in articles written by`), so
 * that `information theory` stays whole. All words when nothing else is said.
 */
export function withoutAsking<W extends Word>(text: string, words: readonly W[]): W[] {
  const starts = words.flatMap(({ start }, place) =>
    place === 0 || SENTENCE_END.test(text.slice(words[place - 1]?.end, start)) ? [place] : [],
  );
  const kept = starts.flatMap((from, sentence) => {
    const sentenceWords = words.slice(from, starts[sentence + 1]);
    return sentenceWords.slice(askingWords(sentenceWords));
  });
  return kept.some(({ text: word }) => !isStopWord(word)) ? kept : [...words];
}

/** How many words at the start only ask. */
function askingWords(words: readonly Word[]): number {
  const said = words.findIndex(
    ({ text }) => !isStopWord(text) && !ASKING_WORDS.has(foldText(text)),
  );
  const run = said === -1 ? words : words.slice(0, said);
  return run.findLastIndex(({ text }) => isStopWord(text)) + 1;
}
