import robotsParser from "robots-parser";
import { textOf } from "./ask-page.ts";
import { cannotCopy } from "./first-page.ts";
import type { PatientRequests } from "./request-patiently.ts";

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
 * Requests and reads the robots.txt of a site. A site without this file allows everything (RFC 9309, 2.3.1).
 *
 * @throws {AppError} `invalid` if it cannot be fetched; then nothing is allowed.
 */
export async function readSiteRules(
  origin: string,
  { request }: Pick<PatientRequests, "request">,
): Promise<SiteRules> {
  const url = new URL("/robots.txt", origin).href;
  const answer = await request(url, {});
  const isMissing = answer.kind === "missing" && answer.status >= 400 && answer.status < 500;
  if (answer.kind !== "content" && !isMissing) throw cannotCopy(url, answer);
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
