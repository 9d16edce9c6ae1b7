import { z } from "zod";
import { type Actor, requireScope } from "../../access/actor.ts";
import type { ContentDesk } from "../editing/desk.ts";
import type { ItemOutline } from "../items/item.ts";
import { decodeCursor, toCursorPage } from "../lists/cursor.ts";
import type { Redirect } from "../record.ts";
import { parseFormerAddress } from "./redirect-addresses.ts";

/** A redirect with the item that it leads to; `item` is null if the redirect does not lead to an item. */
export interface RedirectWithItem extends Redirect {
  item: ItemOutline | null;
}

/** Lists redirects in order of creation. @throws {AppError} `invalid` for a malformed cursor or address. */
export async function listRedirects(
  desk: ContentDesk,
  actor: Actor,
  { limit, cursor, from }: { limit: number; cursor?: string; from?: string },
): Promise<{ redirects: RedirectWithItem[]; nextCursor: string | null }> {
  requireScope(actor, "content:read");
  const filter = { from: from ?? null };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filter, z.string());
  const found = await desk.redirects({
    limit: limit + 1,
    ...(from === undefined ? {} : { from: parseFormerAddress(from, null, "from") }),
    ...(after === undefined ? {} : { after }),
  });
  const { items, nextCursor } = toCursorPage(found, {
    limit,
    query: filter,
    positionOf: ({ id }) => id,
  });
  return { redirects: await attachItemsToRedirects(desk, items), nextCursor };
}

/** Adds to each redirect the item that it leads to, without a permission check. */
export async function attachItemsToRedirects(
  desk: ContentDesk,
  redirects: readonly Redirect[],
): Promise<RedirectWithItem[]> {
  const ids = redirects.flatMap(({ to }) => (to !== null && "itemId" in to ? [to.itemId] : []));
  const items = await desk.outlines(ids);
  return redirects.map((redirect) => {
    const { to } = redirect;
    const isToItem = to !== null && "itemId" in to;
    return { ...redirect, item: isToItem ? (items.get(to.itemId) ?? null) : null };
  });
}
