import type { OpenRecord } from "../storage/record/stores.ts";
import { TrustedTime } from "../work/trusted-time.ts";
import type { AppOptions } from "./options.ts";

/** Null in a worker process; only the first process runs the clock. */
export async function openTrustedTime(
  { seenTime: store }: Pick<OpenRecord, "seenTime">,
  options: AppOptions,
): Promise<TrustedTime | null> {
  const { now = () => new Date(), rateLimits, log } = options;
  if (rateLimits !== undefined) return null;
  return await TrustedTime.open({ store, now, monotonic: monotonicClock(options), log });
}

/** Monotonic milliseconds: unaffected by changes of the system clock. */
export function monotonicClock({ now, monotonic }: Pick<AppOptions, "now" | "monotonic">) {
  const steady = now === undefined ? () => performance.now() : () => now().getTime();
  return monotonic ?? steady;
}
