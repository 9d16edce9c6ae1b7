import { commitCount } from "../../sqlite/data-version.ts";
import type { Listening } from "./listening.ts";

export interface KeyNews extends Disposable {
  /** Another number whenever a key may have changed; it only grows. */
  version: () => number;
}

/**
 * A change of a key by another process is told by the database; after one of this process nobody need
 * wait for that.
 */
export function openKeyNews(listening: Listening): KeyNews {
  let told = 0;
  const hearing = listening.hear("commonplace_keys", () => {
    told += 1;
  });
  return {
    version: () => told + commitCount(),
    [Symbol.dispose]: () => hearing[Symbol.dispose](),
  };
}
