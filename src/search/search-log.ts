import { redactCredentials } from "../access/credentials.ts";
import { utcDayOf } from "../access/days.ts";
import type { ReadingCopy } from "../content/library.ts";
import { withOverriddenMethods } from "../content/reading-overrides.ts";

/**
 * Limit of distinct texts cached between two saves (about a second). Searches for further texts are
 * counted without their text.
 */
const TEXTS_UNSAVED_MAX = 1000;
const TEXT_CHARACTERS_MAX = 300;

export const SEARCH_SOURCES = ["page", "mcp", "api"] as const;

export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** The number of searches on a UTC day. */
export interface DailySearchCount {
  day: string;
  source: SearchSource;
  searches: number;
  withoutResult: number;
}

/**
 * The number of searches for a text on a UTC day, and the hits of the latest search. Nothing about the users
 * is stored.
 */
export interface SearchTextCount {
  day: string;
  source: SearchSource;
  text: string;
  count: number;
  hits: number;
}

export interface SearchCountStore {
  /** Adds to the stored counts. If a day has too many texts, drops the rarest. */
  add(days: readonly DailySearchCount[], texts: readonly SearchTextCount[]): Promise<void>;
  days(period: { since: string; until: string }): Promise<DailySearchCount[]>;
  /** Yields to the event loop before reading, so that callers can loop over many days. */
  textsOfDay(day: string): Promise<SearchTextCount[]>;
  /** Deletes texts of days before `texts`, and counts of days before `counts`. */
  forget(before: { texts: string; counts: string }): Promise<void>;
}

export type CountSearch = (search: { source: SearchSource; text: string; hits: number }) => void;

/**
 * Wraps the reading copy for one interface of the service, such as MCP or the API, and counts the searches
 * through it. Only the first page of a search counts.
 */
export function withSearchCounting(
  reading: ReadingCopy,
  source: SearchSource,
  note: CountSearch,
): ReadingCopy {
  return withOverriddenMethods(reading, {
    async search(query) {
      const page = await reading.search(query);
      if (query.offset === 0 && query.isDerivedFromUrl !== true && query.text !== "")
        note({ source, text: query.text, hits: page.total });
      return page;
    },
  });
}

/** Counts searches in memory. A scheduled task saves the counts. */
export class SearchCounter {
  #days = new Map<string, DailySearchCount>();
  #texts = new Map<string, SearchTextCount>();

  note({ source, text, hits }: Parameters<CountSearch>[0], now: Date): void {
    const day = utcDayOf(now);
    this.#addDay({ day, source, searches: 1, withoutResult: hits === 0 ? 1 : 0 });
    this.#addText({ day, source, text: storedText(text), count: 1, hits });
  }

  /** Saves new counts, if any. If saving fails, the next save includes them. */
  async save(store: Pick<SearchCountStore, "add">): Promise<void> {
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

  #addDay(added: DailySearchCount): void {
    const key = `${added.day} ${added.source}`;
    const known = this.#days.get(key) ?? { ...added, searches: 0, withoutResult: 0 };
    this.#days.set(key, {
      ...known,
      searches: known.searches + added.searches,
      withoutResult: known.withoutResult + added.withoutResult,
    });
  }

  #addText(added: SearchTextCount): void {
    const key = `${added.day} ${added.source} ${added.text}`;
    const known = this.#texts.get(key);
    if (known === undefined && this.#texts.size >= TEXTS_UNSAVED_MAX) return;
    this.#texts.set(key, { ...added, count: added.count + (known?.count ?? 0) });
  }
}

const REDACTED = "[redacted]";
const CONTROL_OR_SPACE = /[\p{Cc}\s]+/gu;
const EMAIL_PATTERN = /^\S+@\S+\.\S+$/u;
const NAMED_SECRET = /(key|token|secret|passwo?r?d|authorization)[=:]\S/i;
/** Matches one long word of letters and digits, which is probably a secret and not a search. */
const SECRET_LIKE = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{20,}$/i;

/** The text as stored: as typed, but without possible secrets or personal data. */
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
