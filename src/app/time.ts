import type { OpenRecord } from "../storage/record/stores.ts";
import { TrustedTime } from "../work/trusted-time.ts";
import type { AppOptions } from "./options.ts";

/** Null in a worker process, which leaves the clock's tasks to the first. */
export async function openTrustedTime(
  { seenTime: store }: Pick<OpenRecord, "seenTime">,
  { now: stated, monotonic, rateLimits, log }: AppOptions,
): Promise<TrustedTime | null> {
  if (rateLimits !== undefined) return null;
  const now = stated ?? (() => new Date());
  const steady = stated === undefined ? () => performance.now() : () => stated().getTime();
  return await TrustedTime.open({ store, now, monotonic: monotonic ?? steady, log });
}
