import type { Scope } from "../access/actor.ts";
import type { KeyTerms } from "../access/submissions/key-requests.ts";
import { endOfDay } from "../content/site/time-zone.ts";
import type { DayOrTime } from "./option-values.ts";

/** Flags for the permissions and limits of a key. */
export interface KeyTermFlags {
  scope?: Scope[];
  rate?: number;
  expires?: DayOrTime | "never";
  network?: string[];
}

/**
 * Leaves out flags that were not given, so that the function that receives the terms applies its own
 * defaults.
 */
export function keyTermsFromFlags(
  { scope, rate, expires, network }: KeyTermFlags,
  timeZone: string,
): Partial<KeyTerms> {
  return {
    ...(scope === undefined ? {} : { scopes: scope }),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
    ...(expires === undefined
      ? {}
      : { expiresAt: expires === "never" ? null : expiryDate(timeZone, expires).toISOString() }),
    ...(network === undefined ? {} : { networks: network.includes("any") ? [] : network }),
  };
}

export function expiryDate(timeZone: string, end: DayOrTime): Date {
  return "day" in end ? endOfDay(timeZone, end.day) : end;
}
