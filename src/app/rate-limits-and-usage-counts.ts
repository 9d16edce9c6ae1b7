import { type RateLimiter, SlidingWindowRateLimiter } from "../access/rate-limits.ts";
import { UsageCounters } from "../access/usage-counters.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import type { AppOptions } from "./options.ts";

export interface RateLimitsAndUsageCounts {
  rateLimits: RateLimiter;
  counting: UsageCounters;
  /** Scheduled task: saves the counts that are due. */
  saveDue(): Promise<void>;
  /** Saves all counts; call it when the process stops. */
  save(): Promise<void>;
}

/**
 * Opens the rate limits and the usage counts, both kept in memory. If `firstProcess` is given, its limits are
 * used in place of this process's own limiter.
 */
export async function openRateLimitsAndUsageCounts(
  record: OpenRecord,
  { firstProcess, now }: { firstProcess: AppOptions["firstProcess"]; now: () => Date },
): Promise<RateLimitsAndUsageCounts> {
  const localLimits = new SlidingWindowRateLimiter();
  await localLimits.restore(record.rateWindows, now().getTime());
  const counting = new UsageCounters(record, now);
  const saveOthers = async () => {
    await localLimits.save(record.rateWindows, now().getTime());
    await record.keys.saveUse();
  };
  return {
    rateLimits: firstProcess?.rateLimits ?? record.rateLimits ?? localLimits,
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
