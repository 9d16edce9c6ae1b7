import type { Actor } from "../../access/actor.ts";
import type { RedirectChangeContext } from "../addresses/redirect-change-context.ts";
import { addRedirect, removeRedirect } from "../addresses/redirects.ts";
import type { Item } from "../items/item.ts";
import type { ContentTransaction } from "../record.ts";
import type { ContentDesk } from "./desk.ts";
import { deleteItem, type ItemChangeOptions } from "./publishing.ts";

/** The addresses other than its path that lead to an item: former paths, and those of redirects. */
export type PathsToItem = Awaited<ReturnType<ContentDesk["pathsTo"]>>;

/**
 * Deletes an item and redirects its path, and every other address that led to it, to `to`.
 *
 * @throws {AppError} as {@link deleteItem} and {@link addRedirect}.
 */
export async function deleteAndLeadAddresses(
  transaction: ContentTransaction,
  desk: Pick<ContentDesk, "redirects">,
  actor: Actor,
  { id, paths, to }: { id: string; paths: PathsToItem; to: string },
  { origin, isDocument, ...change }: RedirectChangeContext & ItemChangeOptions,
): Promise<Item> {
  for (const { path } of paths.filter(({ isRedirect }) => isRedirect)) {
    const [redirect] = await desk.redirects({ from: path, limit: 1 });
    if (redirect !== undefined) await removeRedirect(transaction, actor, redirect.id, change);
  }
  const item = await deleteItem(transaction, actor, id, change);
  for (const from of [item.path, ...paths.map(({ path }) => path)]) {
    await addRedirect(transaction, actor, { from, to }, { ...change, origin, isDocument });
  }
  return item;
}
