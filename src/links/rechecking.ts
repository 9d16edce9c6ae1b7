import { type Actor, requireScope } from "../access/actor.ts";
import { type ChangeContext, changeEntry } from "../access/audit.ts";
import { AppError } from "../errors.ts";
import type { LinkStore } from "./link.ts";

/** Maximum number of links that one request can have checked again. */
export const RECHECKED_MAX = 100;

/**
 * Has links checked again as soon as their hosts may be asked; until then they are `new`. Returns the
 * addresses that are links. @throws {AppError} `not_found` if none is; `forbidden`, `unauthenticated`.
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
  const entry = changeEntry("link.recheck", target, { actor, ...context });
  const due = urls.length === 0 ? [] : await links.recheck(urls, entry);
  if (due.length > 0) return due;
  throw new AppError("not_found", {
    en: "No public page links to this address",
    de: "Auf diese Adresse verweist keine öffentliche Seite",
  });
}
