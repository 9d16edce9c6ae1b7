import type { ReadingCopy } from "../content/library.ts";
import { findLinksInItem, findLinksToTargets, menuLinkTargets } from "./finding-links.ts";
import type { InternalLinkTargets } from "./internal-links.ts";
import {
  type LinkSearchProgress,
  type LinkStore,
  type LinksOfItem,
  MENU_LINKS_ID,
} from "./link.ts";

/** Number of items that one step searches for links. */
const ITEMS_PER_STEP = 50;
/**
 * A step ends once it has found this many links, because other writers wait while the links are
 * saved.
 */
const LINKS_PER_STEP = 500;
const ROUND_MILLISECONDS = 24 * 60 * 60 * 1000;
const REMOVALS_MAX = 1000;

/**
 * Searches the next batch of published items for links; a round over all items starts once a day. The
 * position is stored, so that a restart loses nothing.
 */
export async function scanNextItemsForLinks(
  links: LinkStore,
  site: InternalLinkTargets,
  now: Date,
): Promise<void> {
  const stored = await links.walk();
  if (stored !== null && stored.endedAt !== null && !isRoundDue(stored.endedAt, now)) {
    await walkChanges(links, site, { walk: stored, now });
    return;
  }
  const walk = stored === null || stored.endedAt !== null ? newRound(now) : stored;
  const { reading } = site;
  const { type, entries } = nextEntries(reading, walk);
  const today = now.toISOString().slice(0, 10);
  const found: LinksOfItem[] = [];
  let count = 0;
  let after: string | null = null;
  for (const entry of entries) {
    if (count >= LINKS_PER_STEP) break;
    after = entry.cursor;
    const item = reading.itemOf(entry);
    if (item === null) continue;
    const itemLinks = await findLinksInItem(item, site, today);
    found.push({ itemId: item.id, links: itemLinks });
    count += itemLinks.length;
  }
  if (after !== null) {
    await links.addFound(found, { ...walk, type, after });
    return;
  }
  const menus = menuLinkTargets(reading);
  const inMenus = { itemId: MENU_LINKS_ID, links: await findLinksToTargets(menus, site, today) };
  await links.addFound([inMenus], { ...walk, type, menus });
  if ((await links.removeUnused(walk.round, REMOVALS_MAX)) > 0) return;
  await links.addFound([], { ...walk, menus, endedAt: now.toISOString() });
}

/**
 * Searches the items and menus that were changed after the round, so that repaired links need not wait for
 * the next round.
 */
async function walkChanges(
  links: LinkStore,
  site: InternalLinkTargets,
  { walk, now }: { walk: LinkSearchProgress; now: Date },
): Promise<void> {
  const { reading } = site;
  const today = now.toISOString().slice(0, 10);
  const found: LinksOfItem[] = [];
  const menus = menuLinkTargets(reading);
  const changedUpTo = walk.changedUpTo ?? walk.round;
  if (menus.join() !== walk.menus?.join()) {
    found.push({ itemId: MENU_LINKS_ID, links: await findLinksToTargets(menus, site, today) });
  }
  const changed = reading.updatedAt() < changedUpTo ? [] : changedItems(reading, changedUpTo);
  for (const { path } of changed) {
    const resolved = reading.resolve(path);
    if (resolved.kind !== "item") continue;
    const { item } = resolved;
    found.push({ itemId: item.id, path, links: await findLinksInItem(item, site, today) });
  }
  const last = changed.at(-1)?.updatedAt ?? reading.updatedAt();
  if (found.length === 0 && last < changedUpTo) return;
  await links.addFound(found, { ...walk, menus, changedUpTo: justAfter(last, changedUpTo) });
}

/** The items that changed at or after a time, earliest change first. */
function changedItems(reading: ReadingCopy, since: string) {
  const query = { types: [], filters: [], links: [], sort: "updated", descending: false };
  return reading.items({ ...query, updatedSince: since, limit: ITEMS_PER_STEP });
}

/** Returns `other` or the time one millisecond after `time`, whichever is later. */
function justAfter(time: string, other: string): string {
  const after = new Date(Date.parse(time) + 1).toISOString();
  return after > other ? after : other;
}

function newRound(now: Date): LinkSearchProgress {
  return { round: now.toISOString(), type: null, after: null, endedAt: null };
}

/** Whether the next round is due. Also true if the clock was set back by a day or more. */
function isRoundDue(endedAt: string, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(endedAt)) >= ROUND_MILLISECONDS;
}

/**
 * The next index entries to search: the entries of `type` after the cursor `after` or, if there are none,
 * the entries of the next type that has any.
 */
function nextEntries(reading: ReadingCopy, { type, after }: LinkSearchProgress) {
  const types = [...reading.types().keys()];
  const from = type === null ? 0 : types.indexOf(type);
  for (const next of types.slice(Math.max(0, from))) {
    const place = next === type && after !== null ? { after } : {};
    const entries = [...reading.index({ type: next, limit: ITEMS_PER_STEP, ...place })];
    if (entries.length > 0) return { type: next, entries };
  }
  return { type, entries: [] };
}
