import { z } from "zod";
import { type Actor, requireScope } from "../access/actor.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import { decodeCursor, toCursorPage } from "../content/lists/cursor.ts";
import { LINK_STATES, type Link, type LinkReader, type LinkState, MENU_LINKS_ID } from "./link.ts";

/** Maximum number of items listed per link. */
const ITEMS_MAX = 10;

/** A link with the items that contain it. */
export interface ListedLink extends Link {
  items: { id: string; path: string; title: string }[];
  /** Whether a menu of the site contains the link. */
  inMenus: boolean;
}

export const linkStateSchema = z.enum(LINK_STATES);

/**
 * All links that have the given state, with the items that contain them. @throws {AppError} `forbidden`,
 * `unauthenticated`.
 */
export async function listLinks(
  { links, desk }: { links: LinkReader; desk: Pick<ContentDesk, "outlines"> },
  actor: Actor,
  { state, cursor, limit }: { state: LinkState; cursor?: string; limit: number },
): Promise<{ links: ListedLink[]; nextCursor: string | null }> {
  requireScope(actor, "content:read");
  const asked = `links ${state}`;
  const after = cursor === undefined ? null : decodeCursor(cursor, asked, z.string());
  const found = await links.list({ state, after, limit: limit + 1 });
  const page = toCursorPage(found, { limit, query: asked, positionOf: ({ url }) => url });
  const shown: ListedLink[] = [];
  for (const link of page.items) {
    const places = await links.itemsWith(link.url, ITEMS_MAX + 1);
    const inMenus = places.includes(MENU_LINKS_ID);
    const itemIds = places.filter((place) => place !== MENU_LINKS_ID).slice(0, ITEMS_MAX);
    const outlines = await desk.outlines(itemIds);
    const items = [...outlines.values()].map(({ id, path, title }) => ({ id, path, title }));
    shown.push({ ...link, items, inMenus });
  }
  return { links: shown, nextCursor: page.nextCursor };
}

/** The number of links in each state. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function countLinks(
  links: LinkReader,
  actor: Actor,
): Promise<Readonly<Record<LinkState, number>>> {
  requireScope(actor, "content:read");
  return await links.counts();
}
