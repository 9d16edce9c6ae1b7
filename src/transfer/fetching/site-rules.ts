import robotsParser from "robots-parser";
import type { PageAnswer } from "./ask-page.ts";
import { textOf } from "./ask-page.ts";

/** How robots.txt (RFC 9309) names this program. */
const ROBOT_NAME = "Commonplace";
const PAUSE_MILLISECONDS_MAX = 60_000;

/** A site's rules for crawlers. */
export interface SiteRules {
  allows(url: string): boolean;
  sitemaps: readonly string[];
  /** Delay between two requests; null: not specified. */
  pauseMilliseconds: number | null;
}

/**
 * The rules from the response for robots.txt: without the file everything is allowed; if it cannot
 * be fetched, nothing is (RFC 9309, 2.3.1).
 *
 * @returns null if nothing is allowed because it cannot be fetched.
 */
export function siteRules(url: string, answer: PageAnswer): SiteRules | null {
  const isMissing = answer.kind === "missing" && answer.status >= 400 && answer.status < 500;
  if (answer.kind !== "content" && !isMissing) return null;
  const text = answer.kind === "content" ? (textOf(answer.bytes) ?? "") : "";
  const rules = robotsParser(url, text);
  const seconds = rules.getCrawlDelay(ROBOT_NAME);
  return {
    allows: (address) => rules.isAllowed(address, ROBOT_NAME) !== false,
    sitemaps: rules.getSitemaps(),
    pauseMilliseconds:
      seconds === undefined ? null : Math.min(seconds * 1000, PAUSE_MILLISECONDS_MAX),
  };
}
