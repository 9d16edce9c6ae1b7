import { isDeepStrictEqual } from "node:util";
import { type Actor, hasScope, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { baseLanguage } from "../../texts/choose.ts";
import { starterTexts } from "../../texts/starter/starter-texts.ts";
import { type ContentDesk, listItems } from "../editing/desk.ts";
import { changeItem } from "../editing/editing.ts";
import type { Item, Status } from "../items/item.ts";
import { applyMergePatch, type MergePatch } from "../items/merge-patch.ts";
import type { ContentRecord, ContentTransaction } from "../record.ts";
import type { SiteProfile } from "./site.ts";
import { buildStarterPages } from "./starter-site.ts";

const RELABELLED_MAX = 500;
const CHANGED_STATUSES: readonly Status[] = ["draft", "scheduled", "published", "archived"];

/**
 * Translates the placeholder texts of a profile from `formerLanguage` to the present language of
 * the profile. Texts that editors have changed stay as they are.
 */
export function translatePlaceholderTexts(
  profile: SiteProfile,
  formerLanguage: string,
): SiteProfile {
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

/**
 * If the profile has a translation into the new main language, the translated texts become the texts of the
 * profile, and the former texts become a translation. Texts that the patch changes keep the values from the
 * patch.
 *
 * @param patched the profile `before`, changed by a patch that contains no translations.
 */
export function swapMainLanguageTexts(
  patched: MergePatch,
  before: SiteProfile,
): Record<string, unknown> {
  const language = String(patched["language"]);
  const translation = before.translations[language];
  if (language === before.language || translation === undefined) return { ...patched };
  const { slots = {}, ...texts } = translation;
  const profile: MergePatch = before;
  const unchanged = Object.entries(texts).filter(([name]) =>
    isDeepStrictEqual(patched[name], profile[name]),
  );
  const ownSlots: MergePatch = before.look.slots;
  const formerSlots = Object.keys(slots).map((name) => [name, ownSlots[name] ?? ""]);
  const former = Object.keys(texts).map((name) => [name, profile[name] ?? null]);
  return applyMergePatch(
    { ...patched, ...Object.fromEntries(unchanged) },
    {
      look: { slots },
      translations: {
        [language]: null,
        [before.language]: {
          ...Object.fromEntries(former),
          slots: Object.fromEntries(formerSlots),
        },
      },
    },
  );
}

/** Translates initial pages that were not rewritten, including their paths, into the new main language. */
export async function translateStarterPages(
  transaction: ContentTransaction,
  actor: Actor,
  change: { from: string; to: string } & ChangeContext,
): Promise<void> {
  if (!hasScope(actor, "content:publish") || !hasScope(actor, "content:write")) return;
  const { from, to, now, requestId } = change;
  const pages = buildStarterPages(to);
  for (const [index, before] of buildStarterPages(from).entries()) {
    const item = await transaction.itemAt(before.path ?? "");
    const page = pages[index];
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

/** Number of items in a language, excluding deleted ones. */
export async function countItemsInLanguage(
  stores: Stores,
  actor: Actor,
  language: string,
): Promise<number> {
  const { total } = await listItems(stores, actor, { ...inLanguage(language), limit: 1 });
  return total;
}

/**
 * Changes the language of items from `from` to the site's main language, for example after a wrong
 * main language was corrected. Changes at most {@link RELABELLED_MAX} items per call. Skips items
 * that cannot be changed.
 */
export async function relabelItemsToMainLanguage(
  stores: Stores,
  actor: Actor,
  { from, now, requestId }: { from: string; now: Date; requestId: string },
): Promise<void> {
  requireScope(actor, "settings:write");
  requireScope(actor, "content:publish");
  const to = (await stores.content.site())?.language;
  if (to === undefined || to === from) return;
  const query = { ...inLanguage(from), limit: RELABELLED_MAX };
  const { items } = await listItems(stores, actor, query);
  for (const { id } of items) {
    const patch = { language: to };
    await changeIfPossible(stores.content, actor, id, { patch, now, requestId });
  }
}

/**
 * Changes an item, or leaves it unchanged if the patch is refused, for example because the new path is
 * taken.
 */
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
  return {
    types: [],
    statuses: CHANGED_STATUSES,
    language,
    sort: "created",
    descending: false,
  } as const;
}

/** Whether two tags differ in language, not only in region. */
export function isLanguageChange(before: string, after: string): boolean {
  return baseLanguage(before) !== baseLanguage(after);
}
