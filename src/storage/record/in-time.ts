import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** The answer, or what `late` says when it takes too long; it is then left to itself. */
export async function inTime<T>(
  answer: Promise<T>,
  { milliseconds, late }: { milliseconds: number; late: () => Error },
): Promise<T> {
  const isThere = new AbortController();
  const tooLate = async (): Promise<never> => {
    await sleep(milliseconds, null, { signal: isThere.signal });
    // If this process was held up itself, the answer has come and is only not read yet.
    await nextTurn();
    throw late();
  };
  try {
    return await Promise.race([answer, tooLate()]);
  } finally {
    isThere.abort();
  }
}
