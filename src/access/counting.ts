import { type NoteSearch, SearchCounter, type SearchStore } from "../search/search-log.ts";
import { KeyUseCounter, type KeyUseStore } from "./keys/key-use.ts";
import { type NoteView, ViewCounter, type ViewStore } from "./views.ts";

/** How often views are saved: less often than other counts, since every path has a row of its own. */
const VIEWS_MILLISECONDS = 10_000;

interface CountStores {
  keyUse: KeyUseStore;
  searches: SearchStore;
  views: ViewStore;
}

/**
 * Counts of searches, views and key use. Requests only update memory; a clock task adds the counts to the
 * store, as do other processes.
 */
export class Counting {
  readonly #stores: CountStores;
  readonly #now: () => Date;
  readonly #use = new KeyUseCounter();
  readonly #searches = new SearchCounter();
  readonly #views = new ViewCounter();
  #viewsSavedAt: Date;

  constructor(stores: CountStores, now: () => Date) {
    this.#stores = stores;
    this.#now = now;
    this.#viewsSavedAt = now();
  }

  readonly countUse = (keyId: string, tool: string): void => {
    this.#use.count(keyId, tool, this.#now());
  };

  readonly noteSearch: NoteSearch = (search) => {
    this.#searches.note(search, this.#now());
  };

  readonly noteView: NoteView = (address) => {
    this.#views.note(address, this.#now());
  };

  /** Clock task, run each second: saves new counts of searches and key use, and those of views when due. */
  async keepDue(): Promise<void> {
    await this.#keepOthers();
    // Absolute, as the clock may have been set back.
    const milliseconds = Math.abs(this.#now().getTime() - this.#viewsSavedAt.getTime());
    if (milliseconds >= VIEWS_MILLISECONDS) await this.#keepViews();
  }

  /** Saves all counts, for use when the process stops. */
  async keep(): Promise<void> {
    await this.#keepOthers();
    await this.#keepViews();
  }

  async #keepOthers(): Promise<void> {
    await this.#use.save(this.#stores.keyUse);
    await this.#searches.save(this.#stores.searches);
  }

  async #keepViews(): Promise<void> {
    await this.#views.save(this.#stores.views);
    this.#viewsSavedAt = this.#now();
  }
}
