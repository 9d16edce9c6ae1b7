import { endOfDay } from "../../../../content/site/time-zone.ts";

/**
 * When a key expires: at the end of the day entered in a form. Null if no day was entered.
 *
 * @throws {AppError} `invalid`.
 */
export function parseKeyExpiry(timeZone: string, day: string): Date | null {
  return day === "" ? null : endOfDay(timeZone, day);
}
