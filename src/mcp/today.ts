import type { ReadingCopy } from "../content/library.ts";
import { dayInZone, millisecondsUntilEndOfDay } from "../content/site/time-zone.ts";

/** Returns the day (`YYYY-MM-DD`) in the site's time zone. Computes it once a day, because that is slow. */
export function todayOnSite(reading: Pick<ReadingCopy, "site">): (now: Date) => string {
  let known = { timeZone: "", from: 0, until: 0, day: "" };
  return (now) => {
    const { timeZone } = reading.site();
    const time = now.getTime();
    if (timeZone !== known.timeZone || time < known.from || time >= known.until) {
      const moment = now.toISOString();
      const until = time + millisecondsUntilEndOfDay(timeZone, moment);
      known = { timeZone, from: time, until, day: dayInZone(timeZone, moment) };
    }
    return known.day;
  };
}
