import { Kept } from "../kept.ts";

const KEPT_CHARACTERS_MAX = 16 * 1024 * 1024;
/** Longer questions are hardly asked twice. */
const KEY_CHARACTERS_MAX = 2000;

/** Results as JSON, by what was asked; all of them let go when what they tell of has changed. */
export class KeptResults {
  readonly #version: () => number;
  readonly #results = new Kept<string>(KEPT_CHARACTERS_MAX);
  #told = -1;

  /** `version` changes whenever anything published changes. */
  constructor(version: () => number) {
    this.#version = version;
  }

  /** The result, or what to keep it by once it is made of what is published now. */
  find(key: string): { result: string } | { result: null; version: number } {
    const version = this.#version();
    if (version !== this.#told) {
      this.#results.clear();
      this.#told = version;
    }
    const result = this.#results.get(key);
    return result === undefined ? { result: null, version } : { result };
  }

  keep(key: string, result: string, version: number): void {
    if (key.length > KEY_CHARACTERS_MAX || version !== this.#told) return;
    this.#results.keep(key, result, key.length + result.length);
  }
}
