import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../../access/audit.ts";
import { AppError, type Problem, type Wording } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import type { ContentReader, ContentRecord, ContentTransaction, Redirect } from "../record.ts";
import {
  formatRedirectTarget,
  isRedirectToItem,
  parseFormerAddress,
  redirectError,
  requireNoPageAt,
  requireValidSplat,
} from "./redirect-addresses.ts";
import type { RedirectChangeContext } from "./redirect-change-context.ts";
import { resolveRedirectTarget } from "./redirect-targets.ts";

/** An address of a former site and the target of its redirect; `to` is null if the address answers 410. */
export interface RedirectInput {
  from: string;
  to: string | null;
}

/**
 * Redirects an address of a former site, or all addresses below a folder (`/blog/*`). The target is
 * an item, a page of this site or another site. A redirect to an item follows the item when it
 * moves. If `to` is itself an address that redirects, the target of that redirect is used. Without a
 * target, the address answers 410.
 *
 * @param to path, absolute URL, item id or source key; for a pattern also a path or URL with
 * `:splat`.
 * @throws {AppError} `invalid` for malformed addresses; `conflict` if `from` is taken.
 */
export async function addRedirect(
  record: ContentRecord,
  actor: Actor,
  { from: statedFrom, to }: RedirectInput,
  options: RedirectChangeContext,
): Promise<Redirect> {
  requireScope(actor, "content:publish");
  const from = parseFormerAddress(statedFrom, options.origin, "from");
  return await record.write(async (transaction) => {
    await requireNoPageAt(transaction, from, options.isDocument);
    if (to !== null) requireValidSplat(to, from);
    const target = await resolveRedirectTarget(transaction, to, options);
    if (target !== null && "path" in target && target.path === from) throw redirectLoop(from);
    const displacedId = await requireUnusedAddress(transaction, from, target);
    return await storeRedirectUnchecked(
      transaction,
      { from, to: target, displacedId },
      { actor, ...options },
    );
  });
}

/**
 * How to treat a redirect that is malformed or whose address is taken: `refuse` throws an error;
 * `leave_out` reports the redirect and continues.
 */
export type UnusableRedirectPolicy = "refuse" | "leave_out";

interface RedirectPlan {
  /** Saves the planned redirects. Call it after the item is saved. */
  put: () => Promise<void>;
  /** Redirects that were left out, with their positions. */
  unusable: readonly Problem[];
}

/**
 * Plans redirects from addresses of a former site to an item that is about to be saved. Redirects that
 * exist are not planned again.
 *
 * @throws {AppError} as {@link addRedirect}, with the position in `addresses`.
 */
export async function planRedirectsToItem(
  transaction: ContentTransaction,
  actor: Actor,
  addresses: readonly string[],
  {
    itemId,
    path,
    unusableRedirects,
    ...change
  }: {
    itemId: string;
    path: string;
    /** `refuse` by default. */
    unusableRedirects: UnusableRedirectPolicy | undefined;
  } & ChangeContext,
): Promise<RedirectPlan> {
  const displacedByAddress = new Map<string, string | null>();
  const unusable: Problem[] = [];
  for (const [position, address] of addresses.entries()) {
    const where = `redirectFrom[${position}]`;
    try {
      const from = parseFormerAddress(address, null, where);
      const claim = from === path ? null : await transaction.claim(from);
      if (from === path || claim?.itemId === itemId) continue;
      requireScope(actor, "content:publish");
      await requireNoPageAt(transaction, from, () => false, where);
      displacedByAddress.set(
        from,
        await requireUnusedAddress(transaction, from, { itemId }, where),
      );
    } catch (error) {
      if (unusableRedirects !== "leave_out" || !isUnusable(error)) throw error;
      unusable.push(...error.problems);
    }
  }
  const putAll = async () => {
    for (const [from, displacedId] of displacedByAddress) {
      await storeRedirectUnchecked(
        transaction,
        { from, to: { itemId }, displacedId },
        { actor, ...change },
      );
    }
  };
  return { put: putAll, unusable };
}

function isUnusable(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "invalid" || error.code === "conflict");
}

/** @throws {AppError} `not_found`. */
export async function removeRedirect(
  record: ContentRecord,
  actor: Actor,
  id: string,
  change: ChangeContext,
): Promise<void> {
  requireScope(actor, "content:publish");
  await record.write(async (transaction) => {
    const redirect = await requireExistingRedirect(transaction, id);
    const entry = auditEntryForChange("redirect.remove", redirect.from, { actor, ...change });
    await transaction.removeRedirect(redirect, entry);
  });
}

/** @throws {AppError} `not_found`. */
export async function inspectRedirect(
  content: ContentReader,
  actor: Actor,
  id: string,
): Promise<Redirect> {
  requireScope(actor, "content:read");
  return await requireExistingRedirect(content, id);
}

/** The redirect with this id, without a permission check. @throws {AppError} `not_found`. */
export async function requireExistingRedirect(
  content: ContentReader,
  id: string,
): Promise<Redirect> {
  const redirect = await content.redirect(id);
  if (redirect !== null) return redirect;
  throw new AppError("not_found", {
    en: `There is no redirect with the id ${id}`,
    de: "Diese Weiterleitung gibt es nicht mehr: Suchen Sie sie in der Liste",
  });
}

/**
 * Requires that neither a page nor an existing redirect uses the address.
 *
 * @returns the id of the deleted item that still claims the path, if any.
 * @throws {AppError} `conflict`, naming the owner of the path.
 */
async function requireUnusedAddress(
  transaction: ContentTransaction,
  from: string,
  target: Redirect["to"],
  where = "from",
): Promise<string | null> {
  const redirect = await transaction.redirectAt(from);
  const claim = await transaction.claim(from);
  const holder = claim === null ? null : await transaction.item(claim.itemId);
  if (claim?.isCurrent === true && holder !== null && holder.status !== "deleted") {
    if (isRedirectToItem({ to: target }, holder.id)) throw redirectLoop(from);
    throw addressTaken(from, where, {
      en: `it is the path of "${holder.title}"`,
      de: `Dort steht „${holder.title}“`,
    });
  }
  if (redirect !== null) {
    const to = formatRedirectTarget(redirect.to) ?? holder?.path;
    if (redirect.to === null) throw addressTaken(from, where, KEPT_AS_GONE);
    throw addressTaken(from, where, {
      en: `it is redirected to ${to} already; remove that redirect first`,
      de: `Sie wird schon nach ${to} weitergeleitet: Entfernen Sie zuerst diese Weiterleitung`,
    });
  }
  if (holder === null || holder.status === "deleted") return holder?.id ?? null;
  throw addressTaken(from, where, {
    en: `it leads to "${holder.title}", which moved to ${holder.path}`,
    de: `Sie führt zu „${holder.title}“, das jetzt unter ${holder.path} steht`,
  });
}

const KEPT_AS_GONE: Wording = {
  en: "it is kept as gone for good; remove it from the redirects first",
  de: "Sie ist als endgültig entfernt vermerkt: Entfernen Sie sie zuerst aus den Weiterleitungen",
};

function addressTaken(from: string, where: string, reason: Wording): AppError {
  return new AppError(
    "conflict",
    {
      en: `Cannot redirect "${from}": ${reason.en}`,
      de: `„${from}“ lässt sich nicht weiterleiten: ${reason.de}`,
    },
    {
      problems: [{ where, message: reason }],
    },
  );
}

function redirectLoop(from: string): AppError {
  return redirectError("to", {
    en: `"${from}" would lead to itself`,
    de: `„${from}“ würde zu sich selbst führen`,
  });
}

/** Stores a redirect with its audit entry. Does not check the address or the target. */
export async function storeRedirectUnchecked(
  transaction: ContentTransaction,
  definition: Pick<Redirect, "from" | "to" | "displacedId">,
  { actor, now, requestId }: ChangeContext & { actor: Actor },
): Promise<Redirect> {
  const redirect: Redirect = {
    id: newId(now),
    ...definition,
    createdAt: now.toISOString(),
    createdBy: actorName(actor),
  };
  const { from, to } = redirect;
  const entry = auditEntryForChange("redirect.add", from, { actor, now, requestId });
  const detail =
    to === null
      ? "is gone"
      : `leads to ${"itemId" in to ? `the item ${to.itemId}` : formatRedirectTarget(to)}`;
  await transaction.putRedirect(redirect, { ...entry, detail });
  return redirect;
}
