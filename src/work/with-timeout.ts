/** The answer, or what `late` says when it takes too long; it is then left to itself. */
export function inTime<T>(
  answer: Promise<T>,
  { milliseconds, late }: { milliseconds: number; late: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    // If this process was held up itself, the answer has come and is only not read yet.
    const timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
