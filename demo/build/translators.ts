import type { Corpus, CorpusQuotation } from "./corpus.ts";

/** Chapters that somebody else translated than the first translator of the work; by the ids of the corpus. */
const OTHER_TRANSLATORS: Readonly<Record<string, string>> = {
  "friedrich-nietzsche-beyond-good-and-evil-helen-zimmern/from-the-heights": "l-a-magnus",
};

/** The id of the translator of each chapter that a quotation comes from; null: it is not translated. */
export function translatorsIn(
  works: Corpus["works"],
): (quotation: CorpusQuotation) => string | null {
  const first = new Map(works.map(({ id, translators }) => [id, translators[0] ?? null]));
  return ({ work, section }) => {
    const other = section === null ? undefined : OTHER_TRANSLATORS[section];
    return other ?? (work === null ? null : (first.get(work) ?? null));
  };
}
