import type { Wording } from "../../../errors.ts";
import { conditionalRedirectReason } from "./redirect-rule.ts";

/**
 * The effect of a `RewriteCond`, or of several joined by OR, on a redirect. `queries`: the redirect applies
 * only to addresses with one of these queries. `isMet`: the condition is always met on this site. `reason`:
 * why no redirect can be made.
 */
export type RuleCondition =
  | { queries: string[] }
  | { isMet: true }
  | { reason: Wording; losesRedirect: boolean };

/** The parts of a `RewriteCond`: variable, pattern, flags. */
export type RewriteCond = readonly string[];

/** Combines conditions that the flag OR joins. The result is met if at least one of `alternatives` is met. */
export function combineAlternativeConditions(alternatives: readonly RewriteCond[]): RuleCondition {
  const conditions = alternatives.map(conditionOf);
  const met = conditions.find((condition) => "isMet" in condition);
  if (met !== undefined) return met;
  if (conditions.every((condition) => "queries" in condition))
    return { queries: conditions.flatMap(({ queries }) => queries) };
  const [first] = conditions;
  const isAlike = conditions.every(
    (condition) => "reason" in condition && !condition.losesRedirect,
  );
  if (first !== undefined && (isAlike || conditions.length === 1)) return first;
  const shown = alternatives.map(([variable, pattern]) => `${variable} ${pattern}`);
  return { reason: conditionalRedirectReason(shown.join(" or ")), losesRedirect: true };
}

const SITE_CONDITION: Wording = {
  en: "goes by the name or protocol of the site, not by the address",
  de: "richtet sich nach dem Namen oder Protokoll der Website, nicht nach der Adresse",
};

const SAME_SITE = /^%\{(?:HTTPS|HTTP_HOST|SERVER_PORT|SERVER_NAME|REQUEST_SCHEME|HTTP:[\w-]+)\}$/i;

function conditionOf([variable = "", pattern = ""]: RewriteCond): RuleCondition {
  if (/^%\{REQUEST_FILENAME\}$/i.test(variable) && /^!-[df]$/.test(pattern)) return { isMet: true };
  if (SAME_SITE.test(variable)) {
    return {
      reason: SITE_CONDITION,
      losesRedirect: false,
    };
  }
  const query = /^(?:\^|\(\^\|&\))([\w-]+=[\w.%-]+)(?:\$|\(&\|\$\))$/.exec(pattern)?.[1];
  if (/^%\{QUERY_STRING\}$/i.test(variable) && query !== undefined) return { queries: [query] };
  return { reason: conditionalRedirectReason(`${variable} ${pattern}`), losesRedirect: true };
}
