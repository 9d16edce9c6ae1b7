import { AppError } from "./errors.ts";
import type { Log } from "./log.ts";

/** Limit of distinct errors logged per activity. Further errors are only counted. */
const LOGGED_MAX = 5;
/** A failure that has not recurred for this long counts as resolved. */
const QUIET_MILLISECONDS = 30_000;

interface Episode {
  count: number;
  startedAt: number;
  logged: Set<string>;
  quietTimer: NodeJS.Timeout;
}

/**
 * Logs a recurring error once, counts its repeats, and logs the count when the activity succeeds or no error
 * has occurred for a while. `activity` is the start of each log line, such as "Copying failed".
 */
export class RepeatedErrorLogger {
  readonly #log: Log | null;
  readonly #quietMilliseconds: number;
  readonly #episodes = new Map<string, Episode>();

  constructor(
    log: Log | null,
    { quietMilliseconds = QUIET_MILLISECONDS }: { quietMilliseconds?: number } = {},
  ) {
    this.#log = log;
    this.#quietMilliseconds = quietMilliseconds;
  }

  failed(activity: string, error: unknown): void {
    const episode = this.#episodes.get(activity) ?? this.#begin(activity);
    episode.count += 1;
    episode.quietTimer.refresh();
    const signature = signatureOf(error);
    if (episode.logged.has(signature) || episode.logged.size >= LOGGED_MAX) return;
    episode.logged.add(signature);
    this.#log?.error({ err: error }, activity);
  }

  succeeded(activity: string): void {
    const episode = this.#episodes.get(activity);
    if (episode === undefined) return;
    clearTimeout(episode.quietTimer);
    this.#episodes.delete(activity);
    const seconds = Math.round((performance.now() - episode.startedAt) / 1000);
    this.#log?.info({ times: episode.count, seconds }, `${activity}: over`);
  }

  #begin(activity: string): Episode {
    const quietTimer = setTimeout(() => this.succeeded(activity), this.#quietMilliseconds).unref();
    const episode = {
      count: 0,
      startedAt: performance.now(),
      logged: new Set<string>(),
      quietTimer,
    };
    this.#episodes.set(activity, episode);
    return episode;
  }
}

/** Identifies an error by its code if there is one, because messages may contain ids and times. */
function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AppError) return error.message;
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
