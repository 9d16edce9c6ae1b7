import { FairQueue } from "../../work/fair-queue.ts";

/**
 * Time slice in which queued requests start. Requests that do not start in this slice wait for the next
 * slice. Slices are short, because libuv accepts only one connection per turn of the event loop.
 */
const SLICE_MILLISECONDS = 3;
/**
 * The next slice begins after this many consecutive turns of the event loop that accepted no connection.
 */
const EMPTY_TURNS_MAX = 8;
/**
 * Limit on the turns of the event loop between two slices. The limit is high, because each turn accepts only
 * one of the waiting connections.
 */
const ACCEPTING_TURNS_MAX = 64;
/** Limit of requests started in one turn of the event loop, because each request may take a long time. */
const STARTED_MAX = 16;
/** If the queue has not been empty for this long, the cause is overload rather than a burst. */
const STANDING_MILLISECONDS = 500;
/** Milliseconds of estimated work that can wait in a burst before the queue counts as overloaded. */
const BURST_MILLISECONDS_MAX = 500;
/**
 * Milliseconds of estimated work that can wait under overload. Refusing further requests early keeps all
 * other waits short.
 */
const OVERLOAD_MILLISECONDS_MAX = 200;
/**
 * Requests that have waited longer than this are refused. Such a wait means that the work was estimated far
 * too low.
 */
const WAIT_MILLISECONDS_MAX = 1000;
/** With fewer waiting requests than this, there is no overload, however long each request takes. */
const WAITING_MIN = 32;
const WAITING_MAX = 2000;
/**
 * Weight of each start in the moving average, which covers about fifty starts. It is low, so that
 * one costly request or garbage collection does not make a short queue look like overload.
 */
const START_WEIGHT = 0.02;

interface WaitingRequest {
  since: number;
  begin(): void;
  refuse(): void;
}

/**
 * Decides when a request starts: at once while the event loop keeps up, otherwise from a queue that
 * is fair to all clients. If too much work waits, refuses the newest request of the client with the
 * most waiting requests. Less work may wait if the queue has not been empty for a while, as in CoDel
 * (RFC 8289).
 */
export class AdmissionControl {
  readonly #queue = new FairQueue<WaitingRequest>();
  /** When the first request of this event-loop turn arrived; null: none yet. */
  #turnBegan: number | null = null;
  #lastEmpty = 0;
  /** Average milliseconds between the starts of two requests while other requests wait. */
  #startInterval = 1;
  #sliceBegan = 0;
  #lastSliceEnd = 0;
  #started = 0;
  #acceptingTurns = 0;
  #emptyTurns = 0;
  #isRunning = false;

  /** Whether a request can start at once. Otherwise, call `wait`. */
  isFree(): boolean {
    const now = performance.now();
    if (this.#turnBegan === null) {
      this.#turnBegan = now;
      setImmediate(this.#endTurn);
    }
    return this.#queue.size === 0 && now - this.#turnBegan < SLICE_MILLISECONDS;
  }

  /** Queues a request, which is later either started or refused. */
  wait(client: string, { begin, refuse }: Omit<WaitingRequest, "since">): void {
    const since = performance.now();
    if (this.#queue.size === 0) this.#lastEmpty = since;
    if (!this.#isRunning) this.#lastSliceEnd = since;
    this.#queue.push(client, { since, begin, refuse });
    if (this.#queue.size > this.#waitingMax(since)) this.#queue.dropFromLongest()?.refuse();
    if (!this.#isRunning) this.#run();
  }

  /** Must be called for each accepted connection. */
  noteConnection(): void {
    this.#emptyTurns = 0;
  }

  readonly #endTurn = (): void => {
    this.#turnBegan = null;
  };

  #waitingMax(now: number): number {
    const isOverloaded = now - this.#lastEmpty > STANDING_MILLISECONDS;
    const milliseconds = isOverloaded ? OVERLOAD_MILLISECONDS_MAX : BURST_MILLISECONDS_MAX;
    return Math.min(Math.max(milliseconds / this.#startInterval, WAITING_MIN), WAITING_MAX);
  }

  /**
   * Starts a slice. Each request begins in a callback of its own, because promises continue only
   * between callbacks.
   */
  #run(): void {
    this.#isRunning = true;
    this.#sliceBegan = 0;
    this.#started = 0;
    for (let number = 0; number < STARTED_MAX; number += 1) setImmediate(this.#beginNext);
    setImmediate(this.#endSlice);
  }

  readonly #beginNext = (): void => {
    const now = performance.now();
    if (this.#sliceBegan === 0) this.#sliceBegan = now;
    if (now - this.#sliceBegan >= SLICE_MILLISECONDS) return;
    let next = this.#queue.shift();
    while (next !== undefined && now - next.since > WAIT_MILLISECONDS_MAX) {
      next.refuse();
      next = this.#queue.shift();
    }
    if (next === undefined) return;
    this.#started += 1;
    next.begin();
  };

  readonly #endSlice = (): void => {
    const now = performance.now();
    if (this.#started > 0) {
      const interval = (now - this.#lastSliceEnd) / this.#started;
      const weight = 1 - (1 - START_WEIGHT) ** this.#started;
      this.#startInterval += (interval - this.#startInterval) * weight;
    }
    this.#lastSliceEnd = now;
    this.#acceptingTurns = 0;
    this.#emptyTurns = 0;
    this.#accept();
  };

  readonly #accept = (): void => {
    this.#acceptingTurns += 1;
    this.#emptyTurns += 1;
    const isOver =
      this.#emptyTurns >= EMPTY_TURNS_MAX || this.#acceptingTurns >= ACCEPTING_TURNS_MAX;
    if (this.#queue.size === 0) this.#isRunning = false;
    else if (isOver) this.#run();
    else setImmediate(this.#accept);
  };
}
