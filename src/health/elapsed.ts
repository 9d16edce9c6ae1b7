import { DAY_MILLISECONDS } from "../access/days.ts";

/** `from` is ISO 8601. */
export function daysBetween(from: string, to: Date): number {
  return (to.getTime() - Date.parse(from)) / DAY_MILLISECONDS;
}

/** `from` is ISO 8601. */
export function hoursBetween(from: string, to: Date): number {
  return 24 * daysBetween(from, to);
}
