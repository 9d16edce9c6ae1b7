import { type CountSearch, SearchCounter, type SearchCountStore } from "../search/search-log.ts";
import { KeyUseCounter, type KeyUseStore } from "./keys/key-use.ts";
import { type CountView, ViewCounter, type ViewCountStore } from "./views.ts";

/** Views are saved less often than other counts, because each path needs its own row. */
const VIEWS_INTERVAL_MILLISECONDS = 10_000;

interface CountStores {
  keyUse: KeyUseStore;
  searches: SearchCountStore;
  views: ViewCountStore;
}

/**
 * Counts searches, views and key use. Requests only update counts in memory. In each process, a clock task
 * adds the process's counts to the store. The store holds the sums over all processes.
 */
export class UsageCounters {
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

  readonly noteSearch: CountSearch = (search) => {
    this.#searches.note(search, this.#now());
  };

  readonly noteView: CountView = (address) => {
    this.#views.note(address, this.#now());
  };

  /** Clock task, run every second: saves new counts of searches and key use, and of views when due. */
  async saveDue(): Promise<void> {
    await this.#saveSearchesAndUse();
    // Takes the absolute value, because the clock may have been set back.
    const milliseconds = Math.abs(this.#now().getTime() - this.#viewsSavedAt.getTime());
    if (milliseconds >= VIEWS_INTERVAL_MILLISECONDS) await this.#saveViews();
  }

  /** Saves all counts. Called when the process stops. */
  async saveAll(): Promise<void> {
    await this.#saveSearchesAndUse();
    await this.#saveViews();
  }

  async #saveSearchesAndUse(): Promise<void> {
    await this.#use.save(this.#stores.keyUse);
    await this.#searches.save(this.#stores.searches);
  }

  async #saveViews(): Promise<void> {
    await this.#views.save(this.#stores.views);
    this.#viewsSavedAt = this.#now();
  }
}
