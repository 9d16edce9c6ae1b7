import type { OpenRecord } from "../storage/record/stores.ts";
import { TrustedTime } from "../work/trusted-time.ts";
import type { AppOptions } from "./options.ts";

/** Null in a worker process, which runs no tasks that need trusted time. */
export async function openTrustedTime(
  { seenTime: store }: Pick<OpenRecord, "seenTime">,
  options: AppOptions,
): Promise<TrustedTime | null> {
  const { now = () => new Date(), rateLimits, log } = options;
  if (rateLimits !== undefined) return null;
  return await TrustedTime.open({ store, now, monotonic: monotonicClock(options), log });
}

/** Milliseconds of a monotonic clock; follows `now` if only that is given, as in tests. */
export function monotonicClock({ now, monotonic }: Pick<AppOptions, "now" | "monotonic">) {
  const steady = now === undefined ? () => performance.now() : () => now().getTime();
  return monotonic ?? steady;
}
