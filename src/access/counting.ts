import { type NoteSearch, SearchCounter, type SearchStore } from "../search/search-log.ts";
import { KeyUseCounter, type KeyUseStore } from "./keys/key-use.ts";

/**
 * Counts of searches and key use. Requests only touch memory; a clock task writes to the store, which other
 * processes may add to as well.
 */
export class Counting {
  readonly #stores: { keyUse: KeyUseStore; searches: SearchStore };
  readonly #now: () => Date;
  readonly #use = new KeyUseCounter();
  readonly #searches = new SearchCounter();

  constructor(stores: { keyUse: KeyUseStore; searches: SearchStore }, now: () => Date) {
    this.#stores = stores;
    this.#now = now;
  }

  readonly countUse = (keyId: string, tool: string): void => {
    this.#use.count(keyId, tool, this.#now());
  };

  readonly noteSearch: NoteSearch = (search) => {
    this.#searches.note(search, this.#now());
  };

  /** Clock task: writes what was counted since the last run. */
  async keep(): Promise<void> {
    await this.#use.save(this.#stores.keyUse);
    await this.#searches.save(this.#stores.searches);
  }
}
