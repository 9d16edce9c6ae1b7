import robotsParser from "robots-parser";
import type { PageAnswer } from "./ask-page.ts";
import { textOf } from "./ask-page.ts";

/** How robots.txt (RFC 9309) names this program. */
const ROBOT = "Commonplace";
const PAUSE_MILLISECONDS_MAX = 60_000;

/** A site's rules for programs. */
export interface SiteRules {
  allows(url: string): boolean;
  sitemaps: readonly string[];
  /** Between two requests; null: not said. */
  pauseMilliseconds: number | null;
}

/**
 * The rules of a site from the answer for its robots.txt: all is allowed where there is none, nothing
 * where it cannot be had (RFC 9309, 2.3.1).
 *
 * @returns null if nothing is allowed because it cannot be had.
 */
export function siteRules(url: string, answer: PageAnswer): SiteRules | null {
  const isMissing = answer.kind === "missing" && answer.status >= 400 && answer.status < 500;
  if (answer.kind !== "content" && !isMissing) return null;
  const text = answer.kind === "content" ? (textOf(answer.bytes) ?? "") : "";
  const rules = robotsParser(url, text);
  const seconds = rules.getCrawlDelay(ROBOT);
  return {
    allows: (address) => rules.isAllowed(address, ROBOT) !== false,
    sitemaps: rules.getSitemaps(),
    pauseMilliseconds:
      seconds === undefined ? null : Math.min(seconds * 1000, PAUSE_MILLISECONDS_MAX),
  };
}
