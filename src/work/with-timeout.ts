/** Rejects with `timeoutError()` if `answer` takes too long. Does not cancel the work behind `answer`. */
export function withTimeout<T>(
  answer: Promise<T>,
  { milliseconds, timeoutError }: { milliseconds: number; timeoutError: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    // If the event loop was blocked, the answer may have arrived meanwhile. `setImmediate` lets the
    // event loop read the answer first.
    const timer = setTimeout(() => setImmediate(() => reject(timeoutError())), milliseconds);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
