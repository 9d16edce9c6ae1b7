import { type NoteSearch, SearchCounter, type SearchStore } from "../search/search-log.ts";
import { KeyUseCounter, type KeyUseStore } from "./keys/key-use.ts";
import { type NoteView, ViewCounter, type ViewStore } from "./views.ts";

interface CountStores {
  keyUse: KeyUseStore;
  searches: SearchStore;
  views: ViewStore;
}

/**
 * Counts of searches, views and key use. Requests only touch memory; a clock task writes to the store, which other
 * processes may add to as well.
 */
export class Counting {
  readonly #stores: CountStores;
  readonly #now: () => Date;
  readonly #use = new KeyUseCounter();
  readonly #searches = new SearchCounter();
  readonly #views = new ViewCounter();

  constructor(stores: CountStores, now: () => Date) {
    this.#stores = stores;
    this.#now = now;
  }

  readonly countUse = (keyId: string, tool: string): void => {
    this.#use.count(keyId, tool, this.#now());
  };

  readonly noteSearch: NoteSearch = (search) => {
    this.#searches.note(search, this.#now());
  };

  readonly noteView: NoteView = (address) => this.#views.note(address);

  /** Clock task: saves the counts made since the last run. */
  async keep(): Promise<void> {
    await this.#use.save(this.#stores.keyUse);
    await this.#searches.save(this.#stores.searches);
    await this.#views.save(this.#stores.views, this.#now());
  }
}
