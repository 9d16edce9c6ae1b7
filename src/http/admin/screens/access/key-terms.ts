import { endOfDay } from "../../../../content/site/time-zone.ts";

/**
 * The end of the day that was entered in a form; null if no day was entered.
 *
 * @throws {AppError} `invalid`.
 */
export function keyExpiry(timeZone: string, day: string): Date | null {
  return day === "" ? null : endOfDay(timeZone, day);
}
