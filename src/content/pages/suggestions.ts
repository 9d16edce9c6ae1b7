import { AppError } from "../../errors.ts";
import { wordsOf } from "../../search/language/words.ts";
import type { ItemSummary, ReadingCopy } from "../library.ts";

const SUGGESTIONS_MAX = 5;
/** If fewer items than this have a similar name, a full-text search adds suggestions. */
const SIMILAR_NAMES_MIN = 3;
/**
 * Paths with fewer words than this get no full-text search, because `similar` has already compared a single
 * word with all names.
 */
const WORDS_MIN = 2;
/** Paths with more characters than this get no full-text search, because only bots request them. */
const TEXT_CHARACTERS_MAX = 300;
/**
 * Words with fewer characters than this are ignored, because paths often have short words in common by
 * chance.
 */
const SHARED_CHARACTERS_MIN = 4;

/** Suggestions for a missing page: items with similar names first, then search results. */
export async function suggestItemsForMissingPath(
  reading: ReadingCopy,
  path: string,
): Promise<ItemSummary[]> {
  const similar = reading.similar(path, { limit: SUGGESTIONS_MAX });
  if (similar.length >= SIMILAR_NAMES_MIN) return similar;
  const similarPaths = new Set(similar.map((item) => item.path));
  const found = await searchByPath(reading, path);
  return [...similar, ...found.filter((item) => !similarPaths.has(item.path))].slice(
    0,
    SUGGESTIONS_MAX,
  );
}

/**
 * Searches for the words of a path. Discards the results if the spelling was corrected, because the
 * paths that bots probe, such as `/wp-login.php`, always resemble some word.
 */
async function searchByPath(reading: ReadingCopy, path: string): Promise<ItemSummary[]> {
  const words = wordsOf(path.slice(path.lastIndexOf("/", path.length - 2))).map(
    (word) => word.text,
  );
  const text = words.join(" ");
  if (words.length < WORDS_MIN || text.length > TEXT_CHARACTERS_MAX) return [];
  try {
    const { hits, correctedText, closeness } = await reading.search({
      text,
      types: [],
      filters: [],
      links: [],
      limit: SUGGESTIONS_MAX,
      offset: 0,
      isDerivedFromUrl: true,
    });
    if (correctedText !== null) return [];
    return closeness === "distant" ? hits.filter(({ path: found }) => isNamed(found, words)) : hits;
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/**
 * Whether the last segment of a path is one of the words; short words are ignored. For example,
 * `/privacy` is suggested for the missing path `/privacy-policy`.
 */
function isNamed(path: string, words: readonly string[]): boolean {
  return words.some((word) => word.length >= SHARED_CHARACTERS_MIN && path.endsWith(`/${word}`));
}
