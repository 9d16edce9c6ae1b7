import type { NamedItem } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Items } from "../storage/reading/items.ts";
import { sortKey } from "../storage/reading/values.ts";
import { numberOf, textOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { negationBefore } from "./language/asking-words.ts";
import { foldText, nameKey } from "./language/folding.ts";
import { isStopWord } from "./language/stop-words.ts";
import { replaceWords, type SearchTerms, type SearchWord } from "./query.ts";
import { joined, similarRows } from "./similar-names.ts";

/** Longer texts are quotations, not names. */
const NAME_WORDS_MAX = 12;
/** The most words of a name within a query. */
const PART_WORDS_MAX = 5;
const CALLED_MAX = 10;
const NAMED_MAX = 5;
/**
 * Number of titles beginning with the text that are compared with it once more, without their subtitles.
 */
const BEGINNINGS_MAX = 20;
const LEADING_ARTICLE =
  "the a an der die das den ein eine le la les un une el los las una il lo gli i o os as de het een".split(
    " ",
  );

/** A single letter, or up to three capitals. */
const INITIALS_PATTERN = /^(?:\p{L}|\p{Lu}{2,3})$/u;
const ADDRESS_PATTERN = /^(?:https?:\/\/[^\s/]+)?(?<path>\/[^\s?#]+)(?:[?#]\S*)?$/iu;

/** A name in a query: its words, and the item it refers to. */
interface Naming {
  words: readonly SearchWord[];
  row: number;
}

/** Finds the items that a query refers to by name. */
export class Names {
  readonly #sql: Statements;
  readonly #items: Items;
  /** The names in a query are looked up twice, so the last result is kept. */
  #last: { terms: SearchTerms; namings: Naming[] } | null = null;

  constructor(sql: Statements, items: Items) {
    this.#sql = sql;
    this.#items = items;
  }

  /**
   * Rows of the items with this name, best first: by address, by title, by title with another article or
   * none, by an alias such as the family name, by title without its subtitle, by a title written as one
   * word, by family name after initials.
   */
  called(terms: SearchTerms, types: ContentTypes): number[] {
    const { words } = terms;
    if (words.length === 0 || words.length > NAME_WORDS_MAX || isStrict(terms)) return [];
    const telling = words.filter(({ isFiller }) => !isFiller);
    const keys = new Set([words, telling].map((part) => keyOf(terms.text, part)));
    const rows = [
      ...this.#rowsAt(terms.text),
      ...[...keys].flatMap((key) => this.#rowsCalled(key, types)),
      ...[...keys].flatMap((key) => this.#rowsJoined(key, types)),
      ...this.#rowsWithInitials(telling, types),
    ];
    return [...new Set(rows)].slice(0, CALLED_MAX);
  }

  /** The item at a pasted address, with or without a host. */
  #rowsAt(text: string): number[] {
    const path = ADDRESS_PATTERN.exec(text.trim())?.groups?.["path"];
    if (path === undefined) return [];
    return this.#sql
      .of("SELECT row FROM reading_item WHERE path = ?")
      .all(decodedPath(path))
      .map((found) => numberOf(found, "row"));
  }

  /**
   * Finds `J. S. Mill` and `JS Mill` by the family name, if the initials match the words before it in the
   * title.
   */
  #rowsWithInitials(words: readonly SearchWord[], types: ContentTypes): number[] {
    const family = words.at(-1);
    const initials = words.slice(0, -1).map(({ text }) => text);
    const isInitials = initials.length > 0 && initials.every((text) => INITIALS_PATTERN.test(text));
    if (family === undefined || !isInitials) return [];
    const letters = foldText(initials.join(""));
    const key = nameKey(family.text);
    const rows = this.#rowsWith([key], { types: namedTypes(types), name: "name" });
    return rows.filter((row) =>
      this.#items.summaries([row]).some(({ title }) => {
        const given = nameKey(title).split(` ${key}`)[0] ?? "";
        const own = given.split(" ").map((word) => word[0] ?? "");
        return own.join("").startsWith(letters);
      }),
    );
  }

  /** Rows of the items with a similar name, best first; only likely ones. */
  alike(terms: SearchTerms, types: ContentTypes): number[] {
    const { text, words } = terms;
    if (words.length > PART_WORDS_MAX || isStrict(terms)) return [];
    const named = new Set(namedTypes(types));
    return similarRows(this.#sql, keyOf(text, words), {
      limit: CALLED_MAX,
      types,
      isLikely: true,
    }).filter((row) => this.#items.summaries([row]).some(({ type }) => named.has(type)));
  }

  /**
   * The text with aliases replaced by titles, unless the title contains a word of the alias; null: none
   * is replaced.
   */
  withTitles(terms: SearchTerms, types: ContentTypes): string | null {
    if (isStrict(terms)) return null;
    const replacements = this.#namings(terms, types).flatMap(({ words, row }) => {
      const [first, last] = [words[0], words.at(-1)];
      const title = this.#items.summaries([row])[0]?.title ?? "";
      const titleWords = new Set(nameKey(title).split(" "));
      const isShown = words.some((word) =>
        nameKey(word.text)
          .split(" ")
          .some((w) => titleWords.has(w)),
      );
      if (first === undefined || last === undefined || isShown) return [];
      return [{ word: { ...first, end: last.end }, by: title }];
    });
    return replacements.length === 0 ? null : replaceWords(terms.text, replacements);
  }

  /** The text with people it does not want (`not by Seneca`) as excluded phrases; null: there are none. */
  withoutUnwanted(terms: SearchTerms, types: ContentTypes): string | null {
    if (isStrict(terms)) return null;
    const replacements = this.#namings(terms, types).flatMap(({ words, row }) => {
      const [item] = this.#items.summaries([row]);
      const negation = negationBefore(words, terms.words);
      const [first, last] = [negation[0], words.at(-1)];
      const isPerson = types.get(item?.type ?? "")?.schemaOrg === "Person";
      if (first === undefined || last === undefined || !isPerson) return [];
      return [{ word: { ...first, end: last.end }, by: `-"${item?.title}"` }];
    });
    return replacements.length === 0 ? null : replaceWords(terms.text, replacements);
  }

  /** The words of the query that are part of the name of an item. */
  wordsNaming(terms: SearchTerms, types: ContentTypes): ReadonlySet<SearchWord> {
    return new Set(this.#namings(terms, types).flatMap(({ words }) => words));
  }

  /** Items that are named anywhere in the query. */
  namedIn(terms: SearchTerms, types: ContentTypes): NamedItem[] {
    const rows = [...new Set(this.#namings(terms, types).map(({ row }) => row))];
    return this.#items
      .summaries(rows.slice(0, NAMED_MAX))
      .map(({ path, type, title }) => ({ path, type, title }));
  }

  #rowsCalled(key: string, types: ContentTypes): number[] {
    if (key === "") return [];
    const all = [...types.keys()];
    const named = namedTypes(types);
    const bare = LEADING_ARTICLE.includes(key.split(" ")[0] ?? "")
      ? key.replace(/^\S+ /u, "")
      : key;
    const withArticles = [bare, ...LEADING_ARTICLE.map((article) => `${article} ${bare}`)];
    return [
      ...this.#rowsWith([key], { types: [...named, ...all], name: "title" }),
      ...this.#rowsWith(withArticles, { types: named, name: "title" }),
      ...this.#rowsWith([key, ...withArticles], { types: named, name: "name" }),
      ...this.#rowsTitled(key, named).filter((row) =>
        this.#hasMainTitle(row, [key, ...withArticles]),
      ),
    ];
  }

  /** Finds `Brickkiln` by `brick kiln`. */
  #rowsJoined(key: string, types: ContentTypes): number[] {
    if (!key.includes(" ")) return [];
    return this.#rowsWith([joined(key)], { types: namedTypes(types), name: "title" });
  }

  #rowsWith(
    keys: readonly string[],
    { types, name }: { types: readonly string[]; name: "title" | "name" },
  ): number[] {
    return this.#sql
      .of(
        `SELECT v.row FROM json_each(?) t CROSS JOIN json_each(?) k CROSS JOIN reading_value v
         ON v.type = t.value AND v.name = ? AND v.value = k.value
         ORDER BY t.key, k.key, v.row LIMIT +?`,
      )
      .all(JSON.stringify(types), JSON.stringify(keys), name, CALLED_MAX)
      .map((found) => numberOf(found, "row"));
  }

  /** Rows of the items whose titles start with these words. */
  #rowsTitled(key: string, types: readonly string[]): number[] {
    return this.#sql
      .of(
        `SELECT v.row FROM json_each(?) t CROSS JOIN reading_value v
         ON v.type = t.value AND v.name = 'title' AND v.value >= ? AND v.value < ?
         ORDER BY t.key, v.value, v.row LIMIT +?`,
      )
      .all(JSON.stringify(types), `${key} `, `${key}!`, BEGINNINGS_MAX)
      .map((found) => numberOf(found, "row"));
  }

  #hasMainTitle(row: number, keys: readonly string[]): boolean {
    return this.#items
      .summaries([row])
      .some(({ title }) => keys.includes(nameKey(title.replace(/[:;(–—].*| or,? .*/u, ""))));
  }

  #namings(terms: SearchTerms, types: ContentTypes): Naming[] {
    if (this.#last?.terms !== terms) this.#last = { terms, namings: this.#read(terms, types) };
    return this.#last.namings;
  }

  /** Longest names first; no word belongs to two names. */
  #read({ text, words }: SearchTerms, types: ContentTypes): Naming[] {
    if (words.length > NAME_WORDS_MAX) return [];
    const parts = partsOf(words);
    const keys = new Set(parts.map((part) => keyOf(text, part)));
    const rowOf = this.#rowsByName([...keys], namedTypes(types));
    const taken = new Set<SearchWord>();
    return parts.flatMap((part): Naming[] => {
      const row = rowOf.get(keyOf(text, part));
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
    const rowOf = new Map<string, number>();
    for (const one of found) {
      const key = textOf(one, "key");
      if (!rowOf.has(key)) rowOf.set(key, numberOf(one, "row"));
    }
    return rowOf;
  }
}

function decodedPath(path: string): string {
  const bare = path.replace(/\/+$|\.md$/u, "");
  try {
    return decodeURIComponent(bare).normalize("NFC");
  } catch {
    return bare;
  }
}

/**
 * Whether the query has operators (quotation marks, `-` or `*`), and so asks for words rather than a
 * name.
 */
export function isStrict({ words, phrases, excluded }: SearchTerms): boolean {
  return phrases.length + excluded.length > 0 || words.some(({ isPrefix }) => isPrefix);
}

/**
 * Types that other types link to, such as authors, works and topics: people refer to their items by name.
 */
export function namedTypes(types: ContentTypes): string[] {
  const targets = [...types.values()].flatMap(({ name, relations }) =>
    Object.values(relations)
      .map(({ target }) => target)
      .filter((target) => target !== name),
  );
  return [...new Set(targets)].filter((name) => types.has(name));
}

/** The words with the text between them, normalised for comparing names. */
function keyOf(text: string, words: readonly SearchWord[]): string {
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined
    ? ""
    : sortKey(text.slice(first.start, last.end));
}

/** Runs of words that may be names, longest first. */
function partsOf(words: readonly SearchWord[]): SearchWord[][] {
  return Array.from({ length: PART_WORDS_MAX }, (_, n) => PART_WORDS_MAX - n).flatMap((length) =>
    words.flatMap((_, from) => {
      const part = words.slice(from, from + length);
      const isName = part.some(({ text, isFiller }) => !isFiller && !isStopWord(text));
      return part.length === length && isName ? [part] : [];
    }),
  );
}
