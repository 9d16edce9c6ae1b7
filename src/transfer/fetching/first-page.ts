import { AppError } from "../../errors.ts";
import { cannotCopyMessage, FORBIDDEN_BY_ROBOTS_TXT, translateCopyError } from "./copy-errors.ts";
import type { PageResponse } from "./request-page.ts";
import type { PoliteRequester } from "./request-politely.ts";
import { cannotCopyError, readSiteRules, type SiteRules, withSitePauses } from "./site-rules.ts";

const REDIRECTS_MAX = 5;

/** The first page to copy, after redirects, and the rules of its site. */
export interface FirstPage {
  url: string;
  /** Null: the page needed no request, because it is stored. */
  answer: PageResponse | null;
  rules: SiteRules;
}

/**
 * Follows redirects from the address of a site, even to another origin. Requests the robots.txt of each
 * origin first, and obeys it.
 *
 * @param request returns null for a page that is stored.
 * @throws {AppError} `invalid` if no page can be fetched.
 */
export async function fetchFirstPage(
  start: string,
  requests: PoliteRequester,
  request: (url: string, requests: PoliteRequester) => Promise<PageResponse | null>,
): Promise<FirstPage> {
  let url = start;
  let origin = "";
  let rules: SiteRules | null = null;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    if (rules === null || new URL(url).origin !== origin) {
      ({ origin } = new URL(url));
      rules = await readSiteRules(origin, requests);
    }
    if (!rules.allows(url)) throw forbidden(url);
    const answer = await request(url, withSitePauses(requests, rules));
    if (answer === null || answer.kind === "content" || answer.kind === "unchanged")
      return { url, answer, rules };
    if (answer.kind !== "moved") throw cannotCopyError(url, answer);
    url = answer.to;
  }
  throw new AppError(
    "invalid",
    cannotCopyMessage(start, translateCopyError("it redirects without end")),
  );
}

function forbidden(url: string): AppError {
  return new AppError("invalid", cannotCopyMessage(url, FORBIDDEN_BY_ROBOTS_TXT));
}
