import type { OpenRecord } from "../storage/record/stores.ts";
import { TrustedTime } from "../work/trusted-time.ts";
import type { AppOptions } from "./options.ts";

/**
 * Opens the source of trusted time. Returns null in a worker process, which runs no tasks that need
 * trusted time.
 */
export async function openTrustedTime(
  { seenTime: store }: Pick<OpenRecord, "seenTime">,
  options: AppOptions,
): Promise<TrustedTime | null> {
  const { now = () => new Date(), firstProcess, log } = options;
  if (firstProcess !== undefined) return null;
  return await TrustedTime.open({ store, now, monotonic: createMonotonicClock(options), log });
}

/** A monotonic clock, in milliseconds. Follows `now` if only `now` is given, as in tests. */
export function createMonotonicClock({ now, monotonic }: Pick<AppOptions, "now" | "monotonic">) {
  const derived = now === undefined ? () => performance.now() : () => now().getTime();
  return monotonic ?? derived;
}
