/** Rejects with `late()` if `answer` takes too long; `answer` itself is not cancelled. */
export function withTimeout<T>(
  answer: Promise<T>,
  { milliseconds, late }: { milliseconds: number; late: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    // If the event loop was blocked, an answer may have arrived already: let it be read first.
    const timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
