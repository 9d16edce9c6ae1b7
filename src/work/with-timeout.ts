/** Rejects with `late()` if `answer` takes too long; `answer` itself is not cancelled. */
export function withTimeout<T>(
  answer: Promise<T>,
  { milliseconds, late }: { milliseconds: number; late: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a blocked event loop, the answer may already have arrived; it is read before this rejects.
    const timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
