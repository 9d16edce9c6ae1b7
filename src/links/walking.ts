import type { ReadingCopy } from "../content/library.ts";
import { linksOf } from "./finding-links.ts";
import type { FoundLink, LinkStore, Walk } from "./link.ts";

/** Items searched for links per step. */
const ITEMS_PER_STEP = 50;
/** A step ends once it has found this many links, because writing them keeps other writers waiting. */
const LINKS_PER_STEP = 500;
const ROUND_MILLISECONDS = 24 * 60 * 60 * 1000;
const REMOVALS_MAX = 1000;

/**
 * Searches the next batch of published items for links; a round over all items starts once a day. The
 * position is stored, so that a restart loses nothing.
 */
export async function walkItems(links: LinkStore, reading: ReadingCopy, now: Date): Promise<void> {
  const stored = await links.walk();
  if (stored !== null && stored.endedAt !== null && !isRoundDue(stored.endedAt, now)) return;
  const walk = stored === null || stored.endedAt !== null ? newRound(now) : stored;
  const { type, entries } = nextEntries(reading, walk);
  const today = now.toISOString().slice(0, 10);
  const found: { itemId: string; links: FoundLink[] }[] = [];
  let count = 0;
  let after: string | null = null;
  for (const entry of entries) {
    if (count >= LINKS_PER_STEP) break;
    after = entry.position;
    const item = reading.itemOf(entry);
    if (item === null) continue;
    const itemLinks = await linksOf(item, reading, today);
    found.push({ itemId: item.id, links: itemLinks });
    count += itemLinks.length;
  }
  if (after !== null) {
    await links.addFound(found, { ...walk, type, after });
    return;
  }
  if ((await links.removeUnused(walk.round, REMOVALS_MAX)) > 0) return;
  await links.addFound([], { ...walk, endedAt: now.toISOString() });
}

function newRound(now: Date): Walk {
  return { round: now.toISOString(), type: null, after: null, endedAt: null };
}

/** Whether the next round is due. Also true if the clock was set back by a round or more. */
function isRoundDue(endedAt: string, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(endedAt)) >= ROUND_MILLISECONDS;
}

/** The entries after the walk's position, or the first entries of the next type that has any. */
function nextEntries(reading: ReadingCopy, { type, after }: Walk) {
  const types = [...reading.types().keys()];
  const from = type === null ? 0 : types.indexOf(type);
  for (const next of types.slice(Math.max(0, from))) {
    const place = next === type && after !== null ? { after } : {};
    const entries = [...reading.index({ type: next, limit: ITEMS_PER_STEP, ...place })];
    if (entries.length > 0) return { type: next, entries };
  }
  return { type, entries: [] };
}
