import { type NoteSearch, SearchCounter, type SearchStore } from "../search/search-log.ts";
import { KeyUseCounter, type KeyUseStore } from "./keys/key-use.ts";

/**
 * What is counted of requests while they are answered: in memory, so that they do not wait for it,
 * and kept by the clock. Other processes may count into the same store.
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

  /** For the clock: writes what is new. */
  async keep(): Promise<void> {
    await this.#use.save(this.#stores.keyUse);
    await this.#searches.save(this.#stores.searches);
  }
}
