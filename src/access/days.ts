import { z } from "zod";
import { AppError, type Wording } from "../errors.ts";

export const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Retention period of the daily counts of searches, views and key use, in days. */
export const COUNT_RETENTION_DAYS = 400;
const PERIOD_DAYS_DEFAULT = 30;

/** A range of UTC days, each as `YYYY-MM-DD`; both ends are inclusive. */
export interface UtcDayRange {
  since: string;
  until: string;
}

export const daySchema = z.iso.date({ error: "is not a day, such as 2026-11-21" });

export function utcDayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function utcDayBefore(moment: Date, days: number): string {
  return utcDayOf(new Date(moment.getTime() - days * DAY_MILLISECONDS));
}

/**
 * Parses a requested period. `until` defaults to today, and `since` to 29 days before `until`.
 *
 * @throws {AppError} `invalid` when the period is longer than the retention period or ends before it starts.
 */
export function parseUtcDayRange(
  requested: { since?: string; until?: string },
  now: Date,
): UtcDayRange {
  const until = requested.until ?? utcDayOf(now);
  const since = requested.since ?? utcDayBefore(new Date(until), PERIOD_DAYS_DEFAULT - 1);
  const days = (Date.parse(until) - Date.parse(since)) / DAY_MILLISECONDS + 1;
  if (days >= 1 && days <= COUNT_RETENTION_DAYS) return { since, until };
  const fault: Wording =
    days < 1
      ? { en: "ends before it begins", de: "endet, bevor er beginnt" }
      : {
          en: `is longer than ${COUNT_RETENTION_DAYS} days`,
          de: `ist länger als ${COUNT_RETENTION_DAYS} Tage`,
        };
  throw new AppError(
    "invalid",
    {
      en: `The period from ${since} to ${until} ${fault.en}`,
      de: `Der Zeitraum vom ${since} bis zum ${until} ${fault.de}`,
    },
    {
      problems: [
        {
          where: "since",
          message: { en: `the period ${fault.en}`, de: `der Zeitraum ${fault.de}` },
        },
      ],
    },
  );
}

/** Every day of a period, latest first. */
export function* iterateDaysLatestFirst({ since, until }: UtcDayRange): Iterable<string> {
  for (let day = until; day >= since; day = utcDayBefore(new Date(day), 1)) yield day;
}
