import robotsParser from "robots-parser";
import { type PageAnswer, textOf } from "./ask-page.ts";

/** The name of this crawler in robots.txt (RFC 9309). */
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
 * Reads the rules in the response for robots.txt. A site without this file allows everything (RFC 9309,
 * 2.3.1).
 *
 * @returns null if robots.txt cannot be fetched; then nothing is allowed.
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
