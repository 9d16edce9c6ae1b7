import type { Scope } from "../access/actor.ts";
import type { KeyTerms } from "../access/submissions/key-requests.ts";

/** Flags for the permissions and limits of a key. */
export interface TermFlags {
  scope?: Scope[];
  rate?: number;
  expires?: Date | "never";
  network?: string[];
}

/** Leaves out flags that were not given; the use case has the defaults. */
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
