import { Counting } from "../access/counting.ts";
import { type RateLimiter, RateLimits } from "../access/rate-limits.ts";
import type { OpenRecord } from "../storage/record/stores.ts";

export interface Tallies {
  rateLimits: RateLimiter;
  counting: Counting;
  /** Saves the counts made since the last save to the record. */
  save(): Promise<void>;
}

/** Rate limits and counts, held in memory; `rateLimits` replaces the limiter of this process. */
export async function openTallies(
  record: OpenRecord,
  { rateLimits, now }: { rateLimits: RateLimiter | undefined; now: () => Date },
): Promise<Tallies> {
  const own = new RateLimits();
  await own.restore(record.rateWindows, now().getTime());
  const counting = new Counting(record, now);
  return {
    rateLimits: rateLimits ?? record.rateLimits ?? own,
    counting,
    async save() {
      await own.save(record.rateWindows, now().getTime());
      await record.keys.saveUse();
      await counting.keep();
    },
  };
}
