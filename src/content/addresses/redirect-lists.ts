import { type Actor, requireScope } from "../../access/actor.ts";
import { AppError, type Wording } from "../../errors.ts";
import type { ContentRecord, ContentTransaction, Redirect } from "../record.ts";
import {
  formatRedirectTarget,
  isHomePage,
  isSamePath,
  parseFormerAddress,
} from "./redirect-addresses.ts";
import type { RedirectChangeContext } from "./redirect-change-context.ts";
import { resolveRedirectTarget } from "./redirect-targets.ts";
import { addRedirect, type RedirectInput } from "./redirects.ts";

export type RedirectOutcome =
  | { outcome: "created" | "unchanged" }
  | { outcome: "skipped" | "failed"; reason: Wording };

/**
 * Adds the redirects in a list that do not exist yet, all in one transaction. Skips addresses of
 * existing pages, since a redirect there would have no effect.
 *
 * @returns the outcomes in the order of the list.
 */
export async function addMissingRedirects(
  record: ContentRecord,
  actor: Actor,
  list: readonly RedirectInput[],
  options: RedirectChangeContext,
): Promise<RedirectOutcome[]> {
  requireScope(actor, "content:publish");
  return await record.write(async (transaction) => {
    const outcomes: RedirectOutcome[] = [];
    for (const pair of list) outcomes.push(await ensureRedirect(transaction, actor, pair, options));
    return outcomes;
  });
}

async function ensureRedirect(
  transaction: ContentTransaction,
  actor: Actor,
  pair: RedirectInput,
  options: RedirectChangeContext,
): Promise<RedirectOutcome> {
  try {
    const unneeded = await outcomeIfUnneeded(transaction, pair, options);
    if (unneeded !== null) return unneeded;
    await addRedirect(transaction, actor, pair, options);
    return { outcome: "created" };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return { outcome: "failed", reason: error.problems[0]?.message ?? error.wording };
  }
}

/**
 * The outcome if an address needs no redirect: the redirect exists already, or the address belongs to a page.
 * Null otherwise.
 */
async function outcomeIfUnneeded(
  transaction: ContentTransaction,
  pair: RedirectInput,
  options: RedirectChangeContext,
): Promise<RedirectOutcome | null> {
  if (isHomePage(pair.from))
    return {
      outcome: "skipped",
      reason: { en: "it is the home page", de: "Das ist die Startseite" },
    };
  const from = parseFormerAddress(pair.from, options.origin, "from");
  if (pair.to !== null && isSamePath(from, pair.to, options.origin)) {
    return {
      outcome: "skipped",
      reason: {
        en: "both are the same address here",
        de: "Beide sind hier dieselbe Adresse",
      },
    };
  }
  const claim = await transaction.claim(from);
  const holder = claim === null ? null : await transaction.item(claim.itemId);
  if (claim?.isCurrent === true && holder?.status !== "deleted") {
    return {
      outcome: "skipped",
      reason: {
        en: `the page "${holder?.title}" is there`,
        de: `Dort steht schon die Seite „${holder?.title}“`,
      },
    };
  }
  const target = await resolveRedirectTarget(transaction, pair.to, options);
  const redirect = await transaction.redirectAt(from);
  if (pair.to === null && redirect === null && holder?.status === "deleted" && claim?.wasPublic) {
    return { outcome: "unchanged" };
  }
  const leadsTo = claim === null ? redirect?.to : { itemId: claim.itemId };
  return leadsTo !== undefined && isSameTarget(leadsTo, target) ? { outcome: "unchanged" } : null;
}

function isSameTarget(one: Redirect["to"], other: Redirect["to"]): boolean {
  if (one === null || other === null) return one === other;
  if ("itemId" in one || "itemId" in other) {
    return "itemId" in one && "itemId" in other && one.itemId === other.itemId;
  }
  return formatRedirectTarget(one) === formatRedirectTarget(other);
}
