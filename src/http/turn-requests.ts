/** Nobody waits for more than so many to be answered. */
const TOGETHER_MAX = 16;

/**
 * Requests that arrived in one turn of the event loop: all are read, then answered one after the other,
 * then, with {@link SentTogether}, sent one after the other. In turns, reading, answering and sending
 * push each other out of the processor's caches.
 */
export class TurnRequests {
  readonly #ended: () => void;
  #arrived: (() => void)[] = [];

  /** `ended` is told when some were answered, before anything more is read. */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** Begins to answer when this turn has been read. */
  take(answer: () => void): void {
    if (this.#arrived.push(answer) === 1) setImmediate(this.#answerSome);
  }

  readonly #answerSome = (): void => {
    const some = this.#arrived.splice(0, TOGETHER_MAX);
    if (this.#arrived.length > 0) setImmediate(this.#answerSome);
    // All that waits for nothing else is answered by then.
    queueMicrotask(() => process.nextTick(this.#ended));
    for (const answer of some) answer();
  };
}

/** What is answered in one go is sent in one go, as each answer sent by itself wakes a client. */
export class SentTogether {
  #sendings: (() => void)[] = [];

  /** Before anything more is read. */
  add(send: () => void): void {
    if (this.#sendings.push(send) === 1) process.nextTick(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    const sendings = this.#sendings;
    this.#sendings = [];
    runAll(sendings);
  };
}

/** One that throws keeps none of the others from being sent. */
function runAll(tasks: readonly (() => void)[]): void {
  for (const [done, task] of tasks.entries()) {
    try {
      task();
    } catch (error) {
      process.nextTick(runAll, tasks.slice(done + 1));
      throw error;
    }
  }
}
