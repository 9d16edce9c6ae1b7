import { Pool } from "pg";
import {
  type AcceptedRequestCount,
  RATE_WINDOW_SECONDS,
  type RateLimitDecision,
  type RateLimiter,
  SlidingWindowRateLimiter,
} from "../../../access/rate-limits.ts";
import type { Log } from "../../../log.ts";
import { withTimeout } from "../../../work/with-timeout.ts";
import { DatabaseSockets } from "./connections/sockets.ts";

/** Limit on the time for a decision. It is short, because every request first waits for a decision. */
const ANSWER_MILLISECONDS_MAX = 500;
/** A connection is given up after this many answer timeouts. */
const SILENCE_TIMEOUTS = 3;
const TICK_MILLISECONDS = 1000;
const WINDOW_MILLISECONDS = RATE_WINDOW_SECONDS * 1000;
/** The server takes about 20 ms for a query of this size. */
const WINDOWS_PER_QUERY_MAX = 500;

export interface RateLimitsOptions {
  url: string;
  log: Log | null;
  now?: () => number;
  responseMilliseconds?: number;
}

/**
 * A question to the database about one rate-limit window. `asked`: the number of requests to decide on.
 * `reported`: the number of requests that this process accepted and the database does not count yet.
 */
interface WindowQuestion {
  window: string;
  limit: number;
  asked: number;
  reported?: number;
  /** Age of the latest reported request. */
  reportedAgoMilliseconds?: number;
}

interface DecidedWindow {
  epoch: string;
  accepted: number;
  before: number;
  resets_in: number;
  frees_in: number | null;
}

/** The answer about a window from a database that has lost its counts: a new `epoch` and no decision. */
type UndecidedWindow = Pick<DecidedWindow, "epoch"> & { accepted: null };

interface Request {
  window: string;
  limit: number;
  now: number;
  decide: (decision: RateLimitDecision) => void;
}

/**
 * Rate limits shared by all instances on one database: an exact sliding window by the database's clock.
 * Requests of one event-loop turn share a query. Requests that arrive while a query runs share the next
 * query. Each instance also counts the requests that it accepts. A key that exceeds its limit on this
 * instance alone is refused without a query. While the database is unreachable, the local count
 * decides. The local count is reported to the database afterwards. If the database has lost its counts,
 * each instance reports the requests that it accepted in the last minute.
 */
export class PostgresRateLimits implements RateLimiter, AsyncDisposable {
  readonly #pool: Pool;
  readonly #sockets = new DatabaseSockets();
  readonly #log: RateLimitsOptions["log"];
  readonly #now: () => number;
  readonly #responseMilliseconds: number;
  readonly #silenceMilliseconds: number;
  readonly #local = new SlidingWindowRateLimiter();
  #waiting: Request[] = [];
  #isAsking = false;
  #isUnreachable = false;
  #epoch: string | null = null;
  #forgotAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #ticking: Promise<void> | null = null;

  constructor({
    url,
    log,
    now = Date.now,
    responseMilliseconds = ANSWER_MILLISECONDS_MAX,
  }: RateLimitsOptions) {
    this.#responseMilliseconds = responseMilliseconds;
    this.#silenceMilliseconds = SILENCE_TIMEOUTS * responseMilliseconds;
    this.#pool = new Pool({
      connectionString: url,
      application_name: "commonplace rate limits",
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: this.#silenceMilliseconds,
      query_timeout: this.#silenceMilliseconds,
      keepAlive: true,
      stream: this.#sockets.open,
    });
    // Without this listener, the error would end the process. The next query reports it.
    this.#pool.on("error", () => {});
    this.#log = log;
    this.#now = now;
  }

  take(
    window: string,
    limit: number,
    nowMilliseconds: number,
  ): RateLimitDecision | Promise<RateLimitDecision> {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MILLISECONDS).unref();
    const refusal = this.#local.refusal(window, limit, nowMilliseconds);
    if (refusal !== null) return refusal;
    if (this.#isUnreachable) return this.#local.take(window, limit, nowMilliseconds);
    return new Promise((decide) => {
      this.#waiting.push({ window, limit, now: nowMilliseconds, decide });
      if (this.#isAsking) return;
      this.#isAsking = true;
      setImmediate(() => void this.#askWaiting());
    });
  }

  /** Reports unreported requests first, if the database is reachable. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#ticking;
    if (!this.#isUnreachable) await this.#reportAccepted().catch(() => {});
    await this.#sockets.closeAfter(this.#pool.end(), this.#silenceMilliseconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #askWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const requests = this.#waiting.splice(0, WINDOWS_PER_QUERY_MAX);
      try {
        await this.#decide(requests);
      } catch (error) {
        this.#limitAlone(error);
        this.#decideAlone([...requests, ...this.#waiting.splice(0)]);
      }
    }
    this.#isAsking = false;
  }

  async #decide(requests: readonly Request[]): Promise<void> {
    const groups = Map.groupBy(requests, ({ window, limit }) => `${window} ${limit}`);
    const asked = [...groups.keys()].sort().flatMap((name) => {
      const group = groups.get(name) ?? [];
      const [first] = group;
      return first === undefined ? [] : [{ ...first, asked: group.length, group }];
    });
    const answers = await this.#ask(asked);
    if (answers.length < asked.length) throw new Error("The database has lost its memory again");
    answers.forEach((answer, at) => {
      asked[at]?.group.forEach(({ window, limit, now, decide }, index) => {
        const decision = decisionOf(answer, { limit, index });
        if (decision.accepted) this.#local.countRemote(window, limit, now);
        decide(decision);
      });
    });
  }

  #decideAlone(requests: readonly Request[]): void {
    for (const { window, limit, now, decide } of requests) {
      decide(this.#local.take(window, limit, now));
    }
  }

  /** Returns answers in the order of the questions; fewer if the server loses its counts a second time. */
  async #ask(questions: readonly WindowQuestion[]): Promise<DecidedWindow[]> {
    const answers = await this.#query(questions);
    const [first] = answers;
    if (first === undefined) return [];
    this.#epoch = first.epoch;
    if (isDecided(first)) return answers.filter(isDecided);
    this.#local.markAllUnsaved(this.#now());
    await this.#reportAccepted();
    return (await this.#query(questions)).filter(isDecided);
  }

  async #reportAccepted(): Promise<void> {
    const now = this.#now();
    const add = async (accepted: readonly AcceptedRequestCount[]) => {
      for (let at = 0; at < accepted.length; at += WINDOWS_PER_QUERY_MAX) {
        const slice = accepted.slice(at, at + WINDOWS_PER_QUERY_MAX);
        const reported = slice.map(({ keyId, until, count }) => {
          const reportedAgoMilliseconds = Math.min(Math.max(0, now - until), WINDOW_MILLISECONDS);
          return { window: keyId, limit: 1, asked: 0, reported: count, reportedAgoMilliseconds };
        });
        await this.#query(reported.sort((one, other) => (one.window < other.window ? -1 : 1)));
      }
    };
    await this.#local.save({ add }, now);
  }

  async #query(questions: readonly WindowQuestion[]): Promise<(DecidedWindow | UndecidedWindow)[]> {
    const answer = this.#pool.query<DecidedWindow | UndecidedWindow>({
      name: "take turns",
      text: "SELECT * FROM take_turns($1, $2, $3, $4, $5, $6)",
      values: [
        this.#epoch,
        questions.map(({ window }) => window),
        questions.map(({ limit }) => limit),
        questions.map(({ asked }) => asked),
        questions.map(({ reported = 0 }) => reported),
        questions.map(({ reportedAgoMilliseconds = 0 }) => reportedAgoMilliseconds),
      ],
    });
    const milliseconds = this.#responseMilliseconds;
    const timeoutError = () =>
      new Error(`The database took longer than ${milliseconds} milliseconds`);
    const { rows } = await withTimeout(answer, { milliseconds, timeoutError });
    return rows;
  }

  #limitAlone(error: unknown): void {
    if (this.#isUnreachable) return;
    this.#isUnreachable = true;
    this.#log?.warn(
      { err: error },
      "The database does not answer: until it does, the rate limits are kept by each process alone",
    );
  }

  #tick(): void {
    this.#ticking ??= this.#catchUp()
      .catch((error) => this.#limitAlone(error))
      .finally(() => {
        this.#ticking = null;
      });
  }

  async #catchUp(): Promise<void> {
    if (this.#isUnreachable) {
      await this.#ask([]);
      this.#isUnreachable = false;
      this.#log?.info("The database answers: the rate limits are exact over all instances again");
    }
    await this.#reportAccepted();
    const now = this.#now();
    if (Math.abs(now - this.#forgotAt) < WINDOW_MILLISECONDS) return;
    this.#forgotAt = now;
    await this.#pool.query("SELECT forget_turns()");
  }
}

function isDecided(answer: DecidedWindow | UndecidedWindow): answer is DecidedWindow {
  return answer.accepted !== null;
}

/**
 * Returns the decision for one of several requests in the same window. `index` counts them from 0: a
 * request is accepted if its `index` is below `accepted`.
 */
function decisionOf(
  { accepted, before, resets_in, frees_in }: DecidedWindow,
  { limit, index }: { limit: number; index: number },
): RateLimitDecision {
  if (index >= accepted) {
    return { accepted: false, retryAfterSeconds: seconds(frees_in ?? WINDOW_MILLISECONDS) };
  }
  return {
    accepted: true,
    remaining: limit - before - index - 1,
    resetSeconds: seconds(resets_in),
  };
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
