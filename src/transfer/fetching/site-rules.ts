import robotsParser from "robots-parser";
import { AppError } from "../../errors.ts";
import { cannotCopyMessage, translateCopyError } from "./copy-errors.ts";
import { decodeResponseText, type PageResponse } from "./request-page.ts";
import { type PoliteRequester, requestPolitely } from "./request-politely.ts";

/** The name of this crawler in robots.txt (RFC 9309). */
const ROBOT_NAME = "Commonplace";
const PAUSE_MILLISECONDS_MAX = 60_000;
/** RFC 9309 (2.3.1.2) requires at least five. */
const REDIRECTS_MAX = 5;
/** RFC 9309 (2.5) requires at least 500 KiB. */
const CHARACTERS_READ_MAX = 512 * 1024;

/** A site's rules for crawlers. */
export interface SiteRules {
  allows(url: string): boolean;
  sitemaps: readonly string[];
  /** Delay between two requests; null: not specified. */
  pauseMilliseconds: number | null;
}

/**
 * Requests and reads the robots.txt of a site. A site without this file allows everything (RFC 9309,
 * 2.3.1).
 *
 * @throws {AppError} `invalid` if robots.txt cannot be fetched, because then nothing is allowed.
 */
export async function readSiteRules(origin: string, requests: PoliteRequester): Promise<SiteRules> {
  const url = new URL("/robots.txt", origin).href;
  const rules = robotsParser(url, await rulesText(url, requests));
  const seconds = rules.getCrawlDelay(ROBOT_NAME);
  return {
    allows: (address) => rules.isAllowed(address, ROBOT_NAME) !== false,
    sitemaps: rules.getSitemaps(),
    pauseMilliseconds:
      seconds === undefined ? null : Math.min(seconds * 1000, PAUSE_MILLISECONDS_MAX),
  };
}

/**
 * Adapts requests to the rules of a site. If the site asks for a longer pause between requests, uses
 * that pause.
 */
export function withSitePauses(
  requests: PoliteRequester,
  { pauseMilliseconds }: SiteRules,
): PoliteRequester {
  const longest = Math.max(requests.pauseMilliseconds, pauseMilliseconds ?? 0);
  return { ...requests, pauseMilliseconds: longest };
}

/**
 * The text of robots.txt, even after redirects to other hosts. Empty if there is no robots.txt, or
 * after too many redirects (RFC 9309, 2.3.1.2).
 */
async function rulesText(start: string, requests: PoliteRequester): Promise<string> {
  let url = start;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await requestPolitely(url, {}, requests);
    if (answer.kind === "content") {
      return (decodeResponseText(answer.bytes) ?? "").slice(0, CHARACTERS_READ_MAX);
    }
    const isMissing = answer.kind === "missing" && answer.status >= 400 && answer.status < 500;
    if (isMissing) return "";
    if (answer.kind !== "moved") throw cannotCopyError(url, answer);
    url = answer.to;
  }
  return "";
}

/** The error for a response that prevents the whole copy. */
export function cannotCopyError(url: string, answer: PageResponse): AppError {
  const reason = answer.kind === "missing" ? answer.fault : "The host asks to be left alone";
  return new AppError("invalid", cannotCopyMessage(url, translateCopyError(reason)));
}
