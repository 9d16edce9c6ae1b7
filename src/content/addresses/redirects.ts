import { z } from "zod";
import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { changeEntry } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import type { ContentDesk } from "../editing/desk.ts";
import type { ItemOutline } from "../items/item.ts";
import { decodeCursor, encodeCursor } from "../lists/cursor.ts";
import type { ContentReader, ContentRecord, ContentTransaction, Redirect } from "../record.ts";
import { isServicePage } from "./paths.ts";
import { addressFault, formerAddress, requireNoPage } from "./redirect-addresses.ts";
import { pathOfAddress } from "./site-path.ts";

interface Change {
  now: Date;
  requestId?: string | undefined;
}

export interface RedirectOptions extends Change {
  /** The site's own origin, accepted in addresses. */
  origin: string;
  /** Whether a path belongs to a discovery document. */
  isDocument: (path: string) => boolean;
}

/**
 * Redirects an address of a former site to an item, even if the item moves later, or to another
 * page of this site. If `to` is itself redirected, its target is used.
 *
 * @param to path, absolute URL on this site, item id or source key.
 * @throws {AppError} `invalid` for malformed addresses; `conflict` if `from` is taken.
 */
export async function addRedirect(
  record: ContentRecord,
  actor: Actor,
  { from: statedFrom, to }: { from: string; to: string },
  options: RedirectOptions,
): Promise<Redirect> {
  requireScope(actor, "content:publish");
  const from = formerAddress(statedFrom, options.origin, "from");
  return await record.write(async (transaction) => {
    await requireNoPage(transaction, from, options.isDocument);
    const target = await targetOf(transaction, to, options);
    if ("path" in target && target.path === from) throw loop(from);
    const displacedId = await requireFree(transaction, from, target);
    return await put(transaction, { from, to: target, displacedId }, { actor, ...options });
  });
}

/**
 * Plans redirects from addresses of a former site to an item that is about to be saved, except
 * those that exist.
 *
 * @returns a function to call once the item is saved.
 * @throws {AppError} as {@link addRedirect}, with the position in `stated`.
 */
export async function planRedirects(
  transaction: ContentTransaction,
  actor: Actor,
  stated: readonly string[],
  { itemId, path, ...change }: { itemId: string; path: string } & Change,
): Promise<() => Promise<void>> {
  const planned = new Map<string, string | null>();
  for (const [position, address] of stated.entries()) {
    const where = `redirectFrom[${position}]`;
    const from = formerAddress(address, null, where);
    const claim = from === path ? null : await transaction.claim(from);
    if (from === path || claim?.itemId === itemId) continue;
    requireScope(actor, "content:publish");
    await requireNoPage(transaction, from, () => false, where);
    planned.set(from, await requireFree(transaction, from, { itemId }, where));
  }
  return async () => {
    for (const [from, displacedId] of planned) {
      await put(transaction, { from, to: { itemId }, displacedId }, { actor, ...change });
    }
  };
}

/** @throws {AppError} `not_found`. */
export async function removeRedirect(
  record: ContentRecord,
  actor: Actor,
  id: string,
  change: Change,
): Promise<void> {
  requireScope(actor, "content:publish");
  await record.write(async (transaction) => {
    const redirect = await existingRedirect(transaction, id);
    const entry = changeEntry("redirect.remove", redirect.from, { actor, ...change });
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
  return await existingRedirect(content, id);
}

/** Without a permission check. @throws {AppError} `not_found`. */
export async function existingRedirect(content: ContentReader, id: string): Promise<Redirect> {
  const redirect = await content.redirect(id);
  if (redirect !== null) return redirect;
  throw new AppError("not_found", `There is no redirect with the id ${id}`);
}

/** A redirect with its target item. */
export interface ShownRedirect extends Redirect {
  item: ItemOutline | null;
}

/** In order of creation. @throws {AppError} `invalid` for a malformed cursor or address. */
export async function listRedirects(
  desk: ContentDesk,
  actor: Actor,
  { limit, cursor, from }: { limit: number; cursor?: string; from?: string },
): Promise<{ redirects: ShownRedirect[]; nextCursor: string | null }> {
  requireScope(actor, "content:read");
  const asked = { from: from ?? null };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, asked, z.string());
  const found = await desk.redirects({
    limit: limit + 1,
    ...(from === undefined ? {} : { from: formerAddress(from, null, "from") }),
    ...(after === undefined ? {} : { after }),
  });
  const redirects = await withItems(desk, found.slice(0, limit));
  const last = found.length > limit ? redirects.at(-1) : undefined;
  return { redirects, nextCursor: last === undefined ? null : encodeCursor(asked, last.id) };
}

/** Adds the target items, without a permission check. */
export async function withItems(
  desk: ContentDesk,
  redirects: readonly Redirect[],
): Promise<ShownRedirect[]> {
  const ids = redirects.flatMap(({ to }) => ("itemId" in to ? [to.itemId] : []));
  const items = await desk.outlines(ids);
  return redirects.map((redirect) => ({
    ...redirect,
    item: "itemId" in redirect.to ? (items.get(redirect.to.itemId) ?? null) : null,
  }));
}

/** Resolves `to`, following an existing redirect. */
async function targetOf(
  transaction: ContentTransaction,
  to: string,
  { origin, isDocument }: RedirectOptions,
): Promise<Redirect["to"]> {
  const isAddress = /^(?:\/|https?:)/i.test(to);
  if (isAddress && /[?#]/.test(to)) {
    throw addressFault("to", "a redirect goes to a whole page; leave out what follows ? or #");
  }
  const name = isAddress ? pathOfAddress(to, origin) : to.normalize("NFC");
  const found = (await transaction.references([name])).get(name);
  if (found !== undefined) {
    const item = await transaction.item(found.id);
    if (item?.status !== "deleted") return { itemId: found.id };
    throw addressFault("to", `"${item.title}" was deleted`);
  }
  if (!isAddress) throw addressFault("to", `no item has the id or source key "${name}"`);
  const onward = await transaction.redirectAt(name);
  if (onward !== null) return onward.to;
  const lists = [...(await transaction.types()).values()].map(({ listPath }) => listPath);
  if (isServicePage(name) || lists.includes(name) || isDocument(name)) return { path: name };
  throw addressFault("to", `nothing is at "${name}"`);
}

/**
 * @returns the id of the deleted item that still claims the path, if any.
 * @throws {AppError} `conflict`, naming the owner of the path.
 */
async function requireFree(
  transaction: ContentTransaction,
  from: string,
  target: Redirect["to"],
  where = "from",
): Promise<string | null> {
  const redirect = await transaction.redirectAt(from);
  const claim = await transaction.claim(from);
  const holder = claim === null ? null : await transaction.item(claim.itemId);
  if (claim?.isCurrent === true && holder !== null && holder.status !== "deleted") {
    if ("itemId" in target && target.itemId === holder.id) throw loop(from);
    throw taken(from, where, `it is the path of "${holder.title}"`);
  }
  if (redirect !== null) {
    const to = "path" in redirect.to ? redirect.to.path : holder?.path;
    throw taken(from, where, `it is redirected to ${to} already; remove that redirect first`);
  }
  if (holder === null || holder.status === "deleted") return holder?.id ?? null;
  throw taken(from, where, `it leads to "${holder.title}", which moved to ${holder.path}`);
}

function taken(from: string, where: string, reason: string): AppError {
  return new AppError("conflict", `Cannot redirect "${from}": ${reason}`, {
    problems: [{ where, message: reason }],
  });
}

function loop(from: string): AppError {
  return addressFault("to", `"${from}" would lead to itself`);
}

async function put(
  transaction: ContentTransaction,
  stated: Pick<Redirect, "from" | "to" | "displacedId">,
  { actor, now, requestId }: Change & { actor: Actor },
): Promise<Redirect> {
  const redirect: Redirect = {
    id: transaction.newId(now),
    ...stated,
    createdAt: now.toISOString(),
    createdBy: actorName(actor),
  };
  const { from, to } = redirect;
  const entry = changeEntry("redirect.add", from, { actor, now, requestId });
  const detail = `leads to ${"path" in to ? to.path : `the item ${to.itemId}`}`;
  await transaction.putRedirect(redirect, { ...entry, detail });
  return redirect;
}
