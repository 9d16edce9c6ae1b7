import { AppError } from "../../errors.ts";
import { wordsOf } from "../../search/language/words.ts";
import { SEARCH_CHARACTERS_MAX } from "../../search/query.ts";
import type { ItemSummary, ReadingCopy } from "../library.ts";

const SUGGESTIONS_MAX = 5;
/** Fewer that are called like it, and the words are searched for as well. */
const ALIKE_MIN = 3;
/** A word alone in an address was a name, and those were looked through. */
const WORDS_MIN = 2;

/** What was perhaps meant by an address: what is called like it, then what its words find. */
export async function suggestionsFor(reading: ReadingCopy, path: string): Promise<ItemSummary[]> {
  const similar = reading.similar(path, { limit: SUGGESTIONS_MAX });
  if (similar.length >= ALIKE_MIN) return similar;
  const known = new Set(similar.map((item) => item.path));
  const found = await foundBy(reading, path);
  return [...similar, ...found.filter((item) => !known.has(item.path))].slice(0, SUGGESTIONS_MAX);
}

/** Nothing by guessed spellings: what robots try (`/wp-login.php`) resembles some word or other. */
async function foundBy(reading: ReadingCopy, path: string): Promise<ItemSummary[]> {
  const words = wordsOf(path.slice(path.lastIndexOf("/", path.length - 2))).map(
    (word) => word.text,
  );
  const text = words.join(" ");
  if (words.length < WORDS_MIN || text.length > SEARCH_CHARACTERS_MAX) return [];
  try {
    const { hits, correctedText } = await reading.search({
      text,
      types: [],
      filters: [],
      links: [],
      limit: SUGGESTIONS_MAX,
      offset: 0,
      isGuess: true,
    });
    return correctedText === null ? hits : [];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
