import { AppError, englishOnly } from "../../errors.ts";
import type { PageAnswer } from "./ask-page.ts";

const REDIRECTS_MAX = 5;

/**
 * Follows redirects from the address of a site, even to another origin.
 *
 * @param request null: the page needs no request, because it is stored.
 * @throws {AppError} `invalid` if no page can be fetched.
 */
export async function firstPage(
  start: string,
  request: (url: string) => Promise<PageAnswer | null>,
): Promise<{ url: string; answer: PageAnswer | null }> {
  let url = start;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await request(url);
    if (answer === null || answer.kind === "content" || answer.kind === "unchanged")
      return { url, answer };
    if (answer.kind !== "moved") throw cannotCopy(url, answer);
    url = answer.to;
  }
  throw new AppError("invalid", englishOnly(`Cannot copy ${start}: it redirects without end`));
}

/** The error for an address without which nothing can be copied. */
export function cannotCopy(url: string, answer: PageAnswer): AppError {
  const reason = answer.kind === "missing" ? answer.fault : "The host asks to be left alone";
  return new AppError("invalid", englishOnly(`Cannot copy ${url}: ${reason}`));
}
