/** Nobody waits for more than so many to be answered. */
const TOGETHER_MAX = 16;

/** Sends an answer that is made. */
type Sending = () => void;

/**
 * Requests that arrived in one turn of the event loop: read first, then answered one after the other,
 * then sent one after the other. In turns, reading, answering and sending push each other out of the
 * processor's caches, and each answer sent by itself wakes a client.
 */
export class TurnRequests {
  readonly #ended: () => void;
  #arrived: (() => Promise<Sending>)[] = [];
  #answered: Sending[] = [];

  /** `ended` is told when some were answered, before anything more is read. */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** When this turn has been read. */
  answer(answer: () => Promise<Sending>): void {
    if (this.#arrived.push(answer) === 1) setImmediate(this.#answerSome);
  }

  readonly #answerSome = (): void => {
    for (const answer of this.#arrived.splice(0, TOGETHER_MAX)) void answer().then(this.#send);
    if (this.#arrived.length > 0) setImmediate(this.#answerSome);
    // All that waits for nothing else is answered by then.
    queueMicrotask(() => process.nextTick(this.#ended));
  };

  readonly #send = (sending: Sending): void => {
    if (this.#answered.push(sending) === 1) process.nextTick(this.#sendAll);
  };

  readonly #sendAll = (): void => {
    const answered = this.#answered;
    this.#answered = [];
    for (const send of answered) send();
  };
}
