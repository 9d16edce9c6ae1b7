import { redactCredentials } from "../access/credentials.ts";
import { dayOf } from "../access/days.ts";
import type { ReadingCopy } from "../content/library.ts";

/**
 * Distinct texts kept between two saves (about a second); searches for further ones are counted without
 * their text.
 */
const TEXTS_UNSAVED_MAX = 1000;
const TEXT_CHARACTERS_MAX = 300;

export const SEARCH_SOURCES = ["page", "mcp", "api"] as const;

export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** Searches per day (UTC). */
export interface SearchDay {
  day: string;
  source: SearchSource;
  searches: number;
  withoutResult: number;
}

/**
 * Searches for a text on a day (UTC), and the number of hits of the last one. Nothing about the user is
 * stored.
 */
export interface SearchedText {
  day: string;
  source: SearchSource;
  text: string;
  count: number;
  hits: number;
}

export interface SearchStore {
  /** Adds to the stored counts; if a day has too many texts, the rarest are dropped. */
  add(days: readonly SearchDay[], texts: readonly SearchedText[]): Promise<void>;
  days(period: { since: string; until: string }): Promise<SearchDay[]>;
  /** Yields to the event loop, so that many days may be read in a row. */
  textsOfDay(day: string): Promise<SearchedText[]>;
  /** Deletes texts and counts older than these days. */
  forget(before: { texts: string; counts: string }): Promise<void>;
}

export type NoteSearch = (search: { source: SearchSource; text: string; hits: number }) => void;

/**
 * Wraps the reading copy for one door and counts its searches; further pages of a search do not
 * count.
 */
export function countingSearches(
  reading: ReadingCopy,
  source: SearchSource,
  note: NoteSearch,
): ReadingCopy {
  return {
    site: () => reading.site(),
    types: () => reading.types(),
    resolve: (path) => reading.resolve(path),
    medium: (id) => reading.medium(id),
    list: (query) => reading.list(query),
    items: (query) => reading.items(query),
    around: (path, query) => reading.around(path, query),
    index: (options) => reading.index(options),
    itemOf: (entry) => reading.itemOf(entry),
    counts: () => reading.counts(),
    ranges: (type) => reading.ranges(type),
    updatedAt: () => reading.updatedAt(),
    version: () => reading.version(),
    similar: (text, options) => reading.similar(text, options),
    named: (text, options) => reading.named(text, options),
    hasUniqueName: (name) => reading.hasUniqueName(name),
    async search(query) {
      const page = await reading.search(query);
      if (query.offset === 0 && query.isGuess !== true && query.text !== "")
        note({ source, text: query.text, hits: page.total });
      return page;
    },
  };
}

/** Counts searches in memory; the clock saves them to the store. */
export class SearchCounter {
  #days = new Map<string, SearchDay>();
  #texts = new Map<string, SearchedText>();

  note({ source, text, hits }: Parameters<NoteSearch>[0], now: Date): void {
    const day = dayOf(now);
    this.#addDay({ day, source, searches: 1, withoutResult: hits === 0 ? 1 : 0 });
    this.#addText({ day, source, text: storedText(text), count: 1, hits });
  }

  /** Saves new counts; if that fails, keeps them for the next save. */
  async save(store: Pick<SearchStore, "add">): Promise<void> {
    if (this.#days.size === 0) return;
    const days = [...this.#days.values()];
    const texts = [...this.#texts.values()];
    this.#days = new Map();
    this.#texts = new Map();
    try {
      await store.add(days, texts);
    } catch (error) {
      for (const day of days) this.#addDay(day);
      for (const text of texts) this.#addText(text);
      throw error;
    }
  }

  #addDay(more: SearchDay): void {
    const name = `${more.day} ${more.source}`;
    const known = this.#days.get(name) ?? { ...more, searches: 0, withoutResult: 0 };
    this.#days.set(name, {
      ...known,
      searches: known.searches + more.searches,
      withoutResult: known.withoutResult + more.withoutResult,
    });
  }

  #addText(more: SearchedText): void {
    const name = `${more.day} ${more.source} ${more.text}`;
    const known = this.#texts.get(name);
    if (known === undefined && this.#texts.size >= TEXTS_UNSAVED_MAX) return;
    this.#texts.set(name, { ...more, count: more.count + (known?.count ?? 0) });
  }
}

const REDACTED = "[redacted]";
const CONTROL_OR_SPACE = /[\p{Cc}\s]+/gu;
const EMAIL_PATTERN = /^\S+@\S+\.\S+$/u;
const NAMED_SECRET = /(key|token|secret|passwo?r?d|authorization)[=:]\S/i;
/** One long word of letters and digits is probably a secret, not a search. */
const SECRET_LIKE = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{20,}$/i;

/** The text as it is stored: as typed, without possible secrets or personal data. */
function storedText(text: string): string {
  const words = redactCredentials(text.toWellFormed())
    .replace(CONTROL_OR_SPACE, " ")
    .trim()
    .split(" ")
    .map((word) => (isSensitive(word) ? REDACTED : word));
  return words.join(" ").normalize("NFC").slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
}

function isSensitive(word: string): boolean {
  return EMAIL_PATTERN.test(word) || NAMED_SECRET.test(word) || SECRET_LIKE.test(word);
}
