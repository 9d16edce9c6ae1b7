import { isStopWord } from "../../content/stop-words.ts";
import { numberOf, textOf } from "./columns.ts";
import type { Items } from "./items.ts";
import type { Statements } from "./statements.ts";
import { foldedWords, stemOf } from "./stems.ts";

/** How much a match counts in the title, the names of related items and the body. */
export const COLUMN_WEIGHTS = "3.0, 1.5, 1.0";

const READ_ITEMS = 5;
const READ_CHARACTERS_MAX = 5000;
const ADDED_TERMS = 10;
/** What an added term counts beside one that was asked for. */
const ADDED_WEIGHT = 0.12;
/** Places in the index read for the added terms; the most frequent, which tell least, give way. */
const READ_PLACES_MAX = 20_000;

export interface Ranked {
  row: number;
  /** The higher, the better. */
  score: number;
}

interface Term {
  stem: string;
  items: number;
  weight: number;
}

/**
 * Puts found items in order once more, after the terms that tell the best of them apart from all
 * others: pseudo-relevance feedback, the terms chosen by how much the best items and their scores
 * speak for them (a relevance model) and how rare they are.
 */
export class Feedback {
  readonly #sql: Statements;
  readonly #items: Items;

  constructor(sql: Statements, items: Items) {
    this.#sql = sql;
    this.#items = items;
  }

  /** Nothing is added or left out, `asked` are the stems that were looked for. */
  reordered(best: readonly Ranked[], asked: ReadonlySet<string>): readonly Ranked[] {
    if (best.length <= READ_ITEMS) return best;
    const terms = this.#added(best.slice(0, READ_ITEMS), asked);
    if (terms.length === 0) return best;
    const scores = this.#scores(best, terms);
    const reordered = best
      .map(({ row, score }) => ({ row, score: score + ADDED_WEIGHT * (scores.get(row) ?? 0) }))
      .sort((a, b) => b.score - a.score || a.row - b.row);
    const [first] = best;
    if (first === undefined || !this.#isCalled(first.row, asked)) return reordered;
    return [first, ...reordered.filter(({ row }) => row !== first.row)];
  }

  /** Whoever asks for an item by its title gets it first, whatever the others say. */
  #isCalled(row: number, asked: ReadonlySet<string>): boolean {
    const stems = new Set(tellingStems(this.#title(row)));
    return stems.size === asked.size && [...stems].every((stem) => asked.has(stem));
  }

  #added(best: readonly Ranked[], asked: ReadonlySet<string>): string[] {
    const all = this.#sql.of("SELECT sum(items) AS items FROM reading_count").get();
    const itemsTotal = numberOf(all ?? {}, "items");
    const terms = [...this.#spokenFor(best)].flatMap(([stem, weight]): Term[] => {
      if (asked.has(stem) || stem.length < 3) return [];
      const found = this.#sql.of("SELECT doc FROM reading_term WHERE term = ?").get(stem);
      const items = found === undefined ? 0 : numberOf(found, "doc");
      const rarity = Math.log((itemsTotal - items + 0.5) / (items + 0.5));
      return items < 2 || rarity <= 0 ? [] : [{ stem, items, weight: weight * rarity }];
    });
    const chosen = terms.sort((a, b) => b.weight - a.weight).slice(0, ADDED_TERMS);
    let read = 0;
    return chosen
      .sort((a, b) => a.items - b.items)
      .filter(({ items }) => {
        read += items;
        return read <= READ_PLACES_MAX;
      })
      .map(({ stem }) => stem);
  }

  #spokenFor(best: readonly Ranked[]): Map<string, number> {
    const weights = new Map<string, number>();
    for (const { row, score } of best) {
      const stems = this.#stems(row);
      for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + score / stems.length);
    }
    return weights;
  }

  #stems(row: number): string[] {
    const text = `${this.#title(row)}\n${this.#items.fullText(row)}`;
    return tellingStems(text.slice(0, READ_CHARACTERS_MAX));
  }

  #title(row: number): string {
    const found = this.#sql.of("SELECT title FROM reading_item WHERE row = ?").get(row);
    return found === undefined ? "" : textOf(found, "title");
  }

  /** `+rowid`: the rows are picked from those that match, not looked up one after the other. */
  #scores(best: readonly Ranked[], terms: readonly string[]): Map<number, number> {
    const scores = this.#sql
      .of(
        `SELECT rowid AS row, -bm25(reading_search, ${COLUMN_WEIGHTS}) AS score FROM reading_search
         WHERE reading_search MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
      )
      .all(
        terms.map((term) => `"${term}"`).join(" OR "),
        JSON.stringify(best.map(({ row }) => row)),
      );
    return new Map(scores.map((found) => [numberOf(found, "row"), numberOf(found, "score")]));
  }
}

function tellingStems(text: string): string[] {
  return foldedWords(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
}
