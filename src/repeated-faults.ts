import { AppError } from "./errors.ts";
import type { Log } from "./log.ts";

/** Different errors of one activity that are logged before the rest is only counted. */
const LOGGED_MAX = 5;
/** Without a sign of success, a fault that was not met for so long is over. */
const QUIET_MILLISECONDS = 30_000;

interface Episode {
  met: number;
  begun: number;
  logged: Set<string>;
  quiet: NodeJS.Timeout;
}

/**
 * Logs an error that comes again and again once, counts its repeats, and logs their number when it is
 * over. `activity` names what failed and starts each line.
 */
export class RepeatedFaults {
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

  met(activity: string, error: unknown): void {
    const episode = this.#episodes.get(activity) ?? this.#begin(activity);
    episode.met += 1;
    episode.quiet.refresh();
    const signature = signatureOf(error);
    if (episode.logged.has(signature) || episode.logged.size >= LOGGED_MAX) return;
    episode.logged.add(signature);
    this.#log?.error({ err: error }, activity);
  }

  /** The activity succeeded. */
  over(activity: string): void {
    const episode = this.#episodes.get(activity);
    if (episode === undefined) return;
    clearTimeout(episode.quiet);
    this.#episodes.delete(activity);
    const seconds = Math.round((performance.now() - episode.begun) / 1000);
    this.#log?.info({ times: episode.met, seconds }, `${activity}: over`);
  }

  #begin(activity: string): Episode {
    const quiet = setTimeout(() => this.over(activity), this.#quietMilliseconds).unref();
    const episode = { met: 0, begun: performance.now(), logged: new Set<string>(), quiet };
    this.#episodes.set(activity, episode);
    return episode;
  }
}

/** The code where there is one: messages may carry ids and times. */
function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AppError) return error.message;
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
