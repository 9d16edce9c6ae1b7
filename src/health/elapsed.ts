import { DAY_MILLISECONDS } from "../access/days.ts";

/** Days between two times, with fractions; negative if `to` is earlier. `from` is ISO 8601. */
export function daysBetween(from: string, to: Date): number {
  return (to.getTime() - Date.parse(from)) / DAY_MILLISECONDS;
}

/** Like {@link daysBetween}, in hours. */
export function hoursBetween(from: string, to: Date): number {
  return 24 * daysBetween(from, to);
}
