import { type Actor, requireScope } from "../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../access/audit.ts";
import { AppError } from "../errors.ts";
import type { LinkStore } from "./link.ts";

/** Maximum number of links in one request to check them again. */
export const RECHECKED_LINKS_MAX = 100;

/**
 * Queues links for another check as soon as requests to their hosts are allowed. Until then, the links have
 * the state `new`. Returns the `urls` that are stored as links.
 *
 * @throws {AppError} `not_found` if no URL is stored as a link; `forbidden`, `unauthenticated`.
 */
export async function recheckLinks(
  links: LinkStore,
  actor: Actor,
  urls: readonly string[],
  context: ChangeContext,
): Promise<string[]> {
  requireScope(actor, "content:write");
  const [first = ""] = urls;
  const target = urls.length === 1 ? first : `${urls.length} links`;
  const entry = auditEntryForChange("link.recheck", target, { actor, ...context });
  const due = urls.length === 0 ? [] : await links.recheck(urls, entry);
  if (due.length > 0) return due;
  throw new AppError("not_found", {
    en: "No public page links to this address",
    de: "Auf diese Adresse verweist keine öffentliche Seite",
  });
}
