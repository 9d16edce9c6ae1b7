import { type CorpusLines, corpusLines } from "../../../bench/bulk/lines.ts";

const SIZE = { works: 66, topics: 5320, quotations: 31_000 };
const WORDS_OF_A_QUOTATION = 24;
const SYLLABLES = [
  "ba",
  "ce",
  "di",
  "fo",
  "gu",
  "la",
  "me",
  "ni",
  "po",
  "ru",
  "sa",
  "te",
  "vi",
  "zo",
];

/** The corpus in a folder. Without a folder, a made-up corpus that is equal each time. */
export function corpusAt(folder: string | undefined): CorpusLines {
  return folder === undefined ? madeUpCorpus(SIZE) : corpusLines(folder);
}

export function madeUpCorpus(size: typeof SIZE): CorpusLines {
  const next = seededNumbers(5);
  const word = () =>
    Array.from({ length: 2 + (next() % 2) }, () => pick(SYLLABLES, next())).join("");
  const vocabulary = Array.from({ length: 4000 }, word);
  const words = (count: number) =>
    Array.from({ length: count }, () => pick(vocabulary, next() % (1 + (next() % 4000)))).join(" ");
  const named = (type: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      asLine({ type, title: `${words(2)} ${at}`, sourceKey: `${type}:${at}` }),
    );
  const quotations = Array.from({ length: size.quotations }, (_, at) =>
    asLine({
      type: "quotation",
      title: `Place ${at}`,
      sourceKey: `verse:${at}`,
      body: words(WORDS_OF_A_QUOTATION),
      fields: { locator: `Place ${at}` },
      relations: {
        work: [`work:${next() % size.works}`],
        topics: [...new Set(Array.from({ length: 4 }, () => `topic:${next() % size.topics}`))],
      },
    }),
  );
  return { first: [...named("work", size.works), ...named("topic", size.topics)], quotations };
}

/** A linear congruential generator of integers. The same seed gives the same numbers. */
export function seededNumbers(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

function pick<Choice extends string>(choices: readonly Choice[], number: number): string {
  return choices[number % choices.length] ?? "";
}

function asLine(item: object): string {
  return `${JSON.stringify({ ...item, status: "published" })}\n`;
}
