import type { Scope } from "../access/actor.ts";
import type { KeyTerms } from "../access/submissions/key-requests.ts";

/** The flags that say what a key may do. */
export interface TermFlags {
  scope?: Scope[];
  rate?: number;
  expires?: Date | "never";
  network?: string[];
}

/** What was said of it; the rest is for the use case to decide. */
export function termsOf({ scope, rate, expires, network }: TermFlags): Partial<KeyTerms> {
  return {
    ...(scope === undefined ? {} : { scopes: scope }),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
    ...(expires === undefined
      ? {}
      : { expiresAt: expires === "never" ? null : expires.toISOString() }),
    ...(network === undefined ? {} : { networks: network.includes("any") ? [] : network }),
  };
}
