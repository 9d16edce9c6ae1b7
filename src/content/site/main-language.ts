import { type Actor, hasScope, requireScope } from "../../access/actor.ts";
import { AppError } from "../../errors.ts";
import { baseLanguage } from "../../texts/choose.ts";
import { starterTexts } from "../../texts/starter/starter-texts.ts";
import { type ContentDesk, listItems } from "../editing/desk.ts";
import { changeItem } from "../editing/editing.ts";
import type { Item, Status } from "../items/item.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import type { ContentRecord, ContentTransaction } from "../record.ts";
import type { SiteProfile } from "./site.ts";
import { starterPages } from "./starter-site.ts";

/** Items that one call changes, in one transaction. */
const RELABELLED_MAX = 500;
const STATUSES: readonly Status[] = ["draft", "scheduled", "published", "archived"];

/** The profile in its new language: what still reads as on every new site is translated. */
export function translatedPlaceholders(profile: SiteProfile, formerLanguage: string): SiteProfile {
  const { site: before } = starterTexts(formerLanguage);
  const { site: after } = starterTexts(profile.language);
  const { name, description, whenToUse } = profile;
  return {
    ...profile,
    name: name === before.name ? after.name : name,
    description: description === before.description ? after.description : description,
    whenToUse: whenToUse.map((purpose) => (purpose === before.purpose ? after.purpose : purpose)),
  };
}

/** Translates the first pages that were not rewritten, with their addresses, into the new main language. */
export async function translateStarterPages(
  transaction: ContentTransaction,
  actor: Actor,
  change: { from: string; to: string; now: Date; requestId?: string | undefined },
): Promise<void> {
  if (!hasScope(actor, "content:publish") || !hasScope(actor, "content:write")) return;
  const { from, to, now, requestId } = change;
  const pages = starterPages(to);
  for (const [place, before] of starterPages(from).entries()) {
    const item = await transaction.itemAt(before.path ?? "");
    const page = pages[place];
    if (item === null || page === undefined || !isUnwritten(item, before)) continue;
    const { path, title, summary, body, language = to } = page;
    const patch = { path, title, summary, body, language };
    await changeIfPossible(transaction, actor, item.id, { patch, now, requestId });
  }
}

function isUnwritten(
  { title, summary, body, status }: Item,
  page: { title: string; summary: string; body: string },
): boolean {
  const isSame = title === page.title && summary === page.summary && body === page.body;
  return isSame && status !== "deleted";
}

interface Stores {
  content: ContentRecord;
  desk: ContentDesk;
}

/** Number of items in a language, deleted ones left out. */
export async function countInLanguage(
  stores: Stores,
  actor: Actor,
  language: string,
): Promise<number> {
  const { total } = await listItems(stores, actor, { ...inLanguage(language), limit: 1 });
  return total;
}

/**
 * Says of items in one language that they are in the main language of the site, as after a correction of it.
 * At most {@link RELABELLED_MAX} in one call; an item that cannot be changed is left as it is.
 */
export async function relabelItems(
  stores: Stores,
  actor: Actor,
  { from, now, requestId }: { from: string; now: Date; requestId: string },
): Promise<void> {
  requireScope(actor, "settings:write");
  requireScope(actor, "content:publish");
  const to = (await stores.content.site())?.language;
  if (to === undefined || to === from) return;
  const asked = { ...inLanguage(from), limit: RELABELLED_MAX };
  const { items } = await listItems(stores, actor, asked);
  for (const { id } of items) {
    const patch = { language: to };
    await changeIfPossible(stores.content, actor, id, { patch, now, requestId });
  }
}

/** Leaves an item as it is that has a translation in this language, or whose new address is taken. */
async function changeIfPossible(
  content: ContentRecord,
  actor: Actor,
  id: string,
  { patch, now, requestId }: { patch: MergePatch; now: Date; requestId: string | undefined },
): Promise<void> {
  try {
    const options = requestId === undefined ? { patch, now } : { patch, now, requestId };
    await changeItem(content, actor, id, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
  }
}

function inLanguage(language: string) {
  return { types: [], statuses: STATUSES, language, sort: "created", descending: false } as const;
}

/** Whether another main language is another language, not only another region of it. */
export function isOtherLanguage(before: string, after: string): boolean {
  return baseLanguage(before) !== baseLanguage(after);
}
