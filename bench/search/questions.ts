import type { SearchQuery } from "../../src/content/library.ts";
import { isStopWord } from "../../src/search/language/stop-words.ts";
import { wordsOf } from "../../src/search/language/words.ts";
import { type Text, textsOf } from "./corpus.ts";

const SAMPLED_TEXTS = 20_000;
const RARE_ITEMS_MAX = 4;
const FREQUENT_WORDS = 60;

/** A question, and the same for a plain FTS5 table. */
export interface Question {
  query: Pick<SearchQuery, "text" | "links"> & { language?: string };
  plain: { match: string; narrowBy: string | null };
}

/** Questions of each shape, drawn evenly from the texts of a corpus, always the same. */
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

function tellingWords({ text }: Text): string[] {
  return wordsOf(text.toLowerCase())
    .map((word) => word.text)
    .filter(
      (word) => word.length > 2 && !["en", "de", "fr", "es"].some((l) => isStopWord(word, l)),
    );
}

/** So many of a list, evenly. */
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

/** Two letters in the middle change places. */
function misspelled(word: string): string {
  const at = Math.floor(word.length / 2);
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
}
