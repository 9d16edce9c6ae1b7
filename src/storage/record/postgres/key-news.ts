import { commitCount } from "../../sqlite/data-version.ts";
import type { Listening } from "./listening.ts";

export interface KeyNews extends Disposable {
  /** Increases whenever a key may have changed. */
  version: () => number;
}

/**
 * Counts notifications of key changes by other processes, plus this process's own commits, which take
 * effect without waiting for a notification.
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
