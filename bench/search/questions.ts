import type { SearchQuery } from "../../src/content/library.ts";
import { isStopWord } from "../../src/search/language/stop-words.ts";
import { wordsOf } from "../../src/search/language/words.ts";
import { type Text, textsOf } from "./corpus.ts";

const SAMPLED_TEXTS = 20_000;
const RARE_ITEMS_MAX = 4;
const FREQUENT_WORDS = 60;
const LANGUAGES = ["en", "de", "fr", "es"];
const LINE_WORDS = 6;
const PARAGRAPH_WORDS = 300;
/** About this many texts have {@link PARAGRAPH_WORDS} words. */
const PARAGRAPH_TEXTS = 12;

/** A question, and its equivalent for a plain FTS5 table. */
export interface Question {
  query: Pick<SearchQuery, "text" | "links"> & { language?: string };
  plain: { match: string; narrowBy: string | null };
}

/** Questions of each shape, drawn evenly from the texts of a corpus. They are always the same. */
export async function questionsOf(
  corpus: string,
  { count, texts: textsTotal }: { count: number; texts: number },
): Promise<Record<string, Question[]>> {
  const texts: Text[] = [];
  const step = Math.max(1, Math.floor(textsTotal / SAMPLED_TEXTS));
  let place = 0;
  for await (const text of textsOf(corpus)) if (place++ % step === 0) texts.push(text);
  const seen = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(tellingWords(text))) seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  const byCount = [...seen].sort(([, a], [, b]) => b - a).map(([word]) => word);
  const rare = byCount.filter((word) => (seen.get(word) ?? 0) <= RARE_ITEMS_MAX && word.length > 4);
  const drawn = spread(
    texts.filter((text) => tellingWords(text).length >= 8),
    count,
  );
  const pairs = drawn.map((text) => ({ text, words: spread(tellingWords(text), 2) }));
  return {
    "one rare word": spread(rare, count).map((word) => question([word])),
    "two words": pairs.map(({ words }) => question(words)),
    "a sentence": drawn.map(({ text }) =>
      question(
        wordsOf(text)
          .slice(0, 12)
          .map((w) => w.text),
      ),
    ),
    "a line of small words": drawn.map((text) => question(smallestLine(text))),
    "a question of 300 words": spread(texts, count).map((_, n) =>
      question(firstWords(texts.slice(n * PARAGRAPH_TEXTS), PARAGRAPH_WORDS)),
    ),
    "a frequent word": spread(byCount.slice(0, FREQUENT_WORDS), count).map((word) =>
      question([word]),
    ),
    prefix: spread(rare, count).map((word) => prefix(word.slice(0, 4))),
    filter: pairs.map(({ text, words }) => narrowed(words, text.narrowBy)),
    misspelling: spread(
      rare.filter((word) => word.length >= 7),
      count,
    ).map((word) => question([misspelled(word)])),
  };
}

/** The sequence of words with the most stop words. */
function smallestLine({ text }: Text): string[] {
  const words = wordsOf(text).map((word) => word.text);
  const lines = words.slice(0, Math.max(1, words.length - LINE_WORDS + 1)).map((_, from) => {
    const line = words.slice(from, from + LINE_WORDS);
    return { line, small: line.filter(isSmall).length };
  });
  return lines.reduce((a, b) => (b.small > a.small ? b : a)).line;
}

function isSmall(word: string): boolean {
  return LANGUAGES.some((language) => isStopWord(word, language));
}

function firstWords(texts: readonly Text[], count: number): string[] {
  const some = texts.slice(0, count).map(({ text }) => text);
  return wordsOf(some.join("\n"))
    .slice(0, count)
    .map((word) => word.text);
}

function tellingWords({ text }: Text): string[] {
  return wordsOf(text.toLowerCase())
    .map((word) => word.text)
    .filter((word) => word.length > 2 && !isSmall(word));
}

/** This many elements of a list, evenly spread. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from(
    { length: count },
    (_, n) => list[Math.floor((n * list.length) / count)],
  ).filter((one) => one !== undefined);
}

function question(words: readonly string[]): Question {
  const match = words.map((word) => `"${word}"`).join(" OR ");
  return { query: { text: words.join(" "), links: [] }, plain: { match, narrowBy: null } };
}

function prefix(start: string): Question {
  return {
    query: { text: `${start}*`, links: [] },
    plain: { match: `"${start}" *`, narrowBy: null },
  };
}

function narrowed(words: readonly string[], narrowBy: string): Question {
  const { query, plain } = question(words);
  const isWork = narrowBy.startsWith("/");
  const links = isWork ? [{ direction: "in", relation: "work", anchors: [narrowBy] } as const] : [];
  return {
    query: { ...query, links, ...(isWork ? {} : { language: narrowBy }) },
    plain: { ...plain, narrowBy },
  };
}

/** Swaps two letters in the middle. */
function misspelled(word: string): string {
  const at = Math.floor(word.length / 2);
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
}
