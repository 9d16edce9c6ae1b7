import { type RateLimiter, SlidingWindowRateLimiter } from "../access/rate-limits.ts";
import { UsageCounters } from "../access/usage-counters.ts";
import type { OpenRecord } from "../storage/record/stores.ts";

export interface RateLimitsAndUsageCounts {
  rateLimits: RateLimiter;
  counting: UsageCounters;
  /** Scheduled task: saves the counts that are due. */
  saveDue(): Promise<void>;
  /** Saves all counts; call it when the process stops. */
  save(): Promise<void>;
}

/**
 * Opens the rate limits and the usage counts, both kept in memory. If `rateLimits` is given, it is
 * used in place of this process's own limiter.
 */
export async function openRateLimitsAndUsageCounts(
  record: OpenRecord,
  { rateLimits, now }: { rateLimits: RateLimiter | undefined; now: () => Date },
): Promise<RateLimitsAndUsageCounts> {
  const localLimits = new SlidingWindowRateLimiter();
  await localLimits.restore(record.rateWindows, now().getTime());
  const counting = new UsageCounters(record, now);
  const saveOthers = async () => {
    await localLimits.save(record.rateWindows, now().getTime());
    await record.keys.saveUse();
  };
  return {
    rateLimits: rateLimits ?? record.rateLimits ?? localLimits,
    counting,
    async saveDue() {
      await saveOthers();
      await counting.saveDue();
    },
    async save() {
      await saveOthers();
      await counting.saveAll();
    },
  };
}
