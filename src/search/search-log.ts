import { redactCredentials } from "../access/credentials.ts";
import { dayOf } from "../access/days.ts";
import type { ReadingCopy } from "../content/library.ts";
import { foldText } from "./language/folding.ts";
import { SEARCH_CHARACTERS_MAX } from "./query.ts";

/** Texts of one second; beyond, searches are counted without them. */
const TEXTS_UNSAVED_MAX = 1000;

/** The doors a search may come through. */
export const SEARCH_SOURCES = ["page", "mcp", "api"] as const;

export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** How often was searched on a day (UTC). */
export interface SearchDay {
  day: string;
  source: SearchSource;
  searches: number;
  withoutResult: number;
}

/** How often a text was searched for on a day, and how much it found last. Who asked is not kept. */
export interface SearchedText {
  day: string;
  source: SearchSource;
  text: string;
  count: number;
  hits: number;
}

export interface SearchStore {
  /** Adds to what is there; of a day with more texts than are kept the rarest go. */
  add(days: readonly SearchDay[], texts: readonly SearchedText[]): Promise<void>;
  days(period: { since: string; until: string }): Promise<SearchDay[]>;
  /** Lets others have their turn, so that many days may be asked in a row. */
  textsOfDay(day: string): Promise<SearchedText[]>;
  /** Lets go of the texts and the counts of the days before. */
  forget(before: { texts: string; counts: string }): Promise<void>;
}

export type NoteSearch = (search: { source: SearchSource; text: string; hits: number }) => void;

/** The reading copy for one door, which notes what is searched for; leafing on is no new search. */
export function countingSearches(
  reading: ReadingCopy,
  source: SearchSource,
  note: NoteSearch,
): ReadingCopy {
  return {
    site: () => reading.site(),
    types: () => reading.types(),
    resolve: (path) => reading.resolve(path),
    list: (query) => reading.list(query),
    index: (options) => reading.index(options),
    counts: () => reading.counts(),
    ranges: (type) => reading.ranges(type),
    updatedAt: () => reading.updatedAt(),
    version: () => reading.version(),
    similar: (text, options) => reading.similar(text, options),
    named: (text, options) => reading.named(text, options),
    async search(query) {
      const page = await reading.search(query);
      if (query.offset === 0 && query.isGuess !== true)
        note({ source, text: query.text, hits: page.total });
      return page;
    },
  };
}

/** Counts searches in memory; the clock adds them up in the store. */
export class SearchCounter {
  #days = new Map<string, SearchDay>();
  #texts = new Map<string, SearchedText>();

  note({ source, text, hits }: Parameters<NoteSearch>[0], now: Date): void {
    const day = dayOf(now);
    this.#addDay({ day, source, searches: 1, withoutResult: hits === 0 ? 1 : 0 });
    this.#addText({ day, source, text: keptText(text), count: 1, hits });
  }

  /** Writes what is new, and nothing if nothing is; what cannot be written is kept for next time. */
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

const UNSHOWN = "[redacted]";
const CONTROL_OR_SPACE = /[\p{Cc}\s]+/gu;
const EMAIL = /^\S+@\S+\.\S+$/u;
const SECRET_SAID = /(key|token|secret|passwo?r?d|authorization)[=:]\S/i;
/** Letters and digits in one long word: a key of whatever kind, but no word anybody looks up. */
const SECRET_LIKE = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{20,}$/i;

/** A search text as it is kept: folded, without what may be a secret or tells who asked. */
function keptText(text: string): string {
  const words = redactCredentials(text.toWellFormed())
    .replace(CONTROL_OR_SPACE, " ")
    .trim()
    .split(" ")
    .map((word) => (isTelling(word) ? UNSHOWN : word));
  return foldText(words.join(" ")).slice(0, SEARCH_CHARACTERS_MAX).toWellFormed();
}

function isTelling(word: string): boolean {
  return EMAIL.test(word) || SECRET_SAID.test(word) || SECRET_LIKE.test(word);
}
