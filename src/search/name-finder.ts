import type { NamedItem } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { PublishedItems } from "../storage/reading/items.ts";
import { numberOf, textOf } from "../storage/sqlite/columns.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import { findNegatingWordsBeforeName } from "./language/filler-words.ts";
import { foldText, nameKey } from "./language/folding.ts";
import {
  hasOperators,
  removeQuotationMarks,
  replaceWords,
  type SearchTerms,
  type SearchWord,
} from "./query.ts";
import {
  comparableName,
  findPossibleNames,
  findRowsWithSimilarNames,
  PART_WORDS_MAX,
  removeSpaces,
} from "./similar-names.ts";

/** Queries with more words than this are treated as quotations, not as names. */
const NAME_WORDS_MAX = 12;
const FOUND_MAX = 10;
const NAMED_IN_QUERY_MAX = 5;
/** Limit of titles that start with the query. The part before the subtitle is compared with the query. */
const TITLES_COMPARED_MAX = 20;
const LEADING_ARTICLES =
  "the a an der die das den ein eine le la les un une el los las una il lo gli i o os as de het een".split(
    " ",
  );

/** Matches initials: a single letter, or two or three capitals. */
const INITIALS_PATTERN = /^(?:\p{L}|\p{Lu}{2,3})$/u;
const ADDRESS_PATTERN = /^(?:https?:\/\/[^\s/]+)?(?<path>\/[^\s?#]+)(?:[?#]\S*)?$/iu;

/** A name in a query: its words, and the item that it refers to. */
interface NameMatch {
  words: readonly SearchWord[];
  row: number;
}

/** Finds the items that a query refers to by name. */
export class NameFinder {
  readonly #sql: StatementCache;
  readonly #items: PublishedItems;
  /** Cached, because a search looks up the names in a query several times. */
  #cachedNameMatches: { terms: SearchTerms; matches: NameMatch[] } | null = null;

  constructor(sql: StatementCache, items: PublishedItems) {
    this.#sql = sql;
    this.#items = items;
  }

  /**
   * Finds the items whose name is the query, best first. The order is: address, title, title with
   * another article or none, alias such as the family name, title without its subtitle, title written
   * as one word, family name after initials.
   */
  rowsNamed(terms: SearchTerms, types: ContentTypes): number[] {
    const { words } = terms;
    if (words.length === 0 || words.length > NAME_WORDS_MAX || hasOperators(terms)) return [];
    const significant = words.filter(({ isFiller }) => !isFiller);
    const keys = new Set([words, significant].map((part) => comparableName(terms.text, part)));
    const rows = [
      ...this.#rowsAtAddress(terms.text),
      ...[...keys].flatMap((key) => this.#rowsByKey(key, types)),
      ...[...keys].flatMap((key) => this.#rowsByOneWord(key, types)),
      ...this.#rowsByInitials(significant, types),
    ];
    return [...new Set(rows)].slice(0, FOUND_MAX);
  }

  /** The item at a pasted address, with or without a host. */
  #rowsAtAddress(text: string): number[] {
    const path = ADDRESS_PATTERN.exec(text.trim())?.groups?.["path"];
    if (path === undefined) return [];
    return this.#sql
      .of("SELECT row FROM reading_item WHERE path = ?")
      .all(decodedPath(path))
      .map((found) => numberOf(found, "row"));
  }

  /**
   * For `J. S. Mill` or `JS Mill`, finds the items with the family name `Mill` whose titles have words with
   * these initials before `Mill`.
   */
  #rowsByInitials(words: readonly SearchWord[], types: ContentTypes): number[] {
    const family = words.at(-1);
    const initials = words.slice(0, -1).map(({ text }) => text);
    const isInitials = initials.length > 0 && initials.every((text) => INITIALS_PATTERN.test(text));
    if (family === undefined || !isInitials) return [];
    const letters = foldText(initials.join(""));
    const familyKey = nameKey(family.text);
    const rows = this.#rowsWithValue([familyKey], {
      types: selectTypesFindableByName(types),
      name: "name",
    });
    return rows.filter((row) =>
      this.#items.summaries([row]).some(({ title }) => {
        const givenNames = nameKey(title).split(` ${familyKey}`)[0] ?? "";
        const titleInitials = givenNames.split(" ").map((word) => word[0] ?? "");
        return titleInitials.join("").startsWith(letters);
      }),
    );
  }

  /** Finds the items that the query almost certainly names in another spelling, best first. */
  rowsNamedLike(terms: SearchTerms, types: ContentTypes): number[] {
    const { text, words } = terms;
    if (words.length > PART_WORDS_MAX || hasOperators(terms)) return [];
    const named = new Set(selectTypesFindableByName(types));
    return findRowsWithSimilarNames(this.#sql, comparableName(text, words), {
      limit: FOUND_MAX,
      types,
      isLikely: true,
    }).filter((row) => this.#items.summaries([row]).some(({ type }) => named.has(type)));
  }

  /**
   * Replaces each alias in the query with the title of its item, unless the title contains a word of the
   * alias. Null if nothing is replaced.
   */
  withTitles(terms: SearchTerms, types: ContentTypes): string | null {
    if (hasOperators(terms)) return null;
    const replacements = this.#nameMatches(terms, types).flatMap(({ words, row }) => {
      const [first, last] = [words[0], words.at(-1)];
      const title = this.#items.summaries([row])[0]?.title ?? "";
      const titleWords = new Set(nameKey(title).split(" "));
      const sharesWord = words.some((word) =>
        nameKey(word.text)
          .split(" ")
          .some((part) => titleWords.has(part)),
      );
      if (first === undefined || last === undefined || sharesWord) return [];
      return [{ word: { ...first, end: last.end }, by: removeQuotationMarks(title) }];
    });
    return replacements.length === 0 ? null : replaceWords(terms.text, replacements);
  }

  /**
   * Replaces people that the query rejects (`not by Seneca`) with excluded phrases; null if there are
   * none.
   */
  withExclusions(terms: SearchTerms, types: ContentTypes): string | null {
    if (hasOperators(terms)) return null;
    const replacements = this.#nameMatches(terms, types).flatMap(({ words, row }) => {
      const [item] = this.#items.summaries([row]);
      const negation = findNegatingWordsBeforeName(words, terms.words);
      const [first, last] = [negation[0], words.at(-1)];
      const isPerson = types.get(item?.type ?? "")?.schemaOrg === "Person";
      if (first === undefined || last === undefined || !isPerson) return [];
      return [
        { word: { ...first, end: last.end }, by: `-"${removeQuotationMarks(item?.title ?? "")}"` },
      ];
    });
    return replacements.length === 0 ? null : replaceWords(terms.text, replacements);
  }

  /** The words of the query that belong to the name of an item. */
  wordsNaming(terms: SearchTerms, types: ContentTypes): ReadonlySet<SearchWord> {
    return new Set(this.#nameMatches(terms, types).flatMap(({ words }) => words));
  }

  /** The items that are named anywhere in the query. */
  namedIn(terms: SearchTerms, types: ContentTypes): NamedItem[] {
    const rows = [...new Set(this.#nameMatches(terms, types).map(({ row }) => row))];
    return this.#items
      .summaries(rows.slice(0, NAMED_IN_QUERY_MAX))
      .map(({ path, type, title }) => ({ path, type, title }));
  }

  #rowsByKey(key: string, types: ContentTypes): number[] {
    if (key === "") return [];
    const allTypes = [...types.keys()];
    const named = selectTypesFindableByName(types);
    const withoutArticle = LEADING_ARTICLES.includes(key.split(" ")[0] ?? "")
      ? key.replace(/^\S+ /u, "")
      : key;
    const withArticle = LEADING_ARTICLES.map((article) => `${article} ${withoutArticle}`);
    const articleVariants = [withoutArticle, ...withArticle];
    return [
      ...this.#rowsWithValue([key], { types: [...named, ...allTypes], name: "title" }),
      ...this.#rowsWithValue(articleVariants, { types: named, name: "title" }),
      ...this.#rowsWithValue([key, ...articleVariants], { types: named, name: "name" }),
      ...this.#rowsByTitleStart(key, named).filter((row) =>
        this.#hasMainTitle(row, [key, ...articleVariants]),
      ),
    ];
  }

  /** For `brick kiln`, finds the item titled `Brickkiln`. */
  #rowsByOneWord(key: string, types: ContentTypes): number[] {
    if (!key.includes(" ")) return [];
    return this.#rowsWithValue([removeSpaces(key)], {
      types: selectTypesFindableByName(types),
      name: "title",
    });
  }

  #rowsWithValue(
    keys: readonly string[],
    { types, name }: { types: readonly string[]; name: "title" | "name" },
  ): number[] {
    return this.#sql
      .of(
        `SELECT v.row FROM json_each(?) t CROSS JOIN json_each(?) k CROSS JOIN reading_value v
         ON v.type = t.value AND v.name = ? AND v.value = k.value
         ORDER BY t.key, k.key, v.row LIMIT +?`,
      )
      .all(JSON.stringify(types), JSON.stringify(keys), name, FOUND_MAX)
      .map((found) => numberOf(found, "row"));
  }

  /** Finds the items whose titles start with these words. */
  #rowsByTitleStart(key: string, types: readonly string[]): number[] {
    return this.#sql
      .of(
        `SELECT v.row FROM json_each(?) t CROSS JOIN reading_value v
         ON v.type = t.value AND v.name = 'title' AND v.value >= ? AND v.value < ?
         ORDER BY t.key, v.value, v.row LIMIT +?`,
      )
      .all(JSON.stringify(types), `${key} `, `${key}!`, TITLES_COMPARED_MAX)
      .map((found) => numberOf(found, "row"));
  }

  #hasMainTitle(row: number, keys: readonly string[]): boolean {
    return this.#items
      .summaries([row])
      .some(({ title }) => keys.includes(nameKey(title.replace(/[:;(–—].*| or,? .*/u, ""))));
  }

  #nameMatches(terms: SearchTerms, types: ContentTypes): NameMatch[] {
    if (this.#cachedNameMatches?.terms !== terms)
      this.#cachedNameMatches = { terms, matches: this.#findNameMatches(terms, types) };
    return this.#cachedNameMatches.matches;
  }

  /** Finds names in the query, longest first. No word belongs to more than one name. */
  #findNameMatches({ text, words }: SearchTerms, types: ContentTypes): NameMatch[] {
    if (words.length > NAME_WORDS_MAX) return [];
    const parts = findPossibleNames(words);
    const keys = new Set(parts.map((part) => comparableName(text, part)));
    const rowByKey = this.#rowsByName([...keys], selectTypesFindableByName(types));
    const taken = new Set<SearchWord>();
    return parts.flatMap((part): NameMatch[] => {
      const row = rowByKey.get(comparableName(text, part));
      if (row === undefined || part.some((word) => taken.has(word))) return [];
      for (const word of part) taken.add(word);
      return [{ words: part, row }];
    });
  }

  #rowsByName(keys: readonly string[], types: readonly string[]): ReadonlyMap<string, number> {
    const found = this.#sql
      .of(
        `SELECT k.value AS key, v.row FROM json_each(?1) k CROSS JOIN json_each(?2) t
         CROSS JOIN reading_value v ON v.type = t.value AND v.name IN ('title', 'name') AND v.value = k.value
         LIMIT 100`,
      )
      .all(JSON.stringify(keys), JSON.stringify(types));
    const rowByKey = new Map<string, number>();
    for (const one of found) {
      const key = textOf(one, "key");
      if (!rowByKey.has(key)) rowByKey.set(key, numberOf(one, "row"));
    }
    return rowByKey;
  }
}

function decodedPath(path: string): string {
  const withoutSuffix = path.replace(/\/+$|\.md$/u, "");
  try {
    return decodeURIComponent(withoutSuffix).normalize("NFC");
  } catch {
    return withoutSuffix;
  }
}

/**
 * The types that other types link to, such as authors, works and topics. People refer to items of these types
 * by name.
 */
export function selectTypesFindableByName(types: ContentTypes): string[] {
  const targets = [...types.values()].flatMap(({ name, relations }) =>
    Object.values(relations)
      .map(({ target }) => target)
      .filter((target) => target !== name),
  );
  return [...new Set(targets)].filter((name) => types.has(name));
}
