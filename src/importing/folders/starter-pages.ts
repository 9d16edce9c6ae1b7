import { type Actor, hasScope } from "../../access/actor.ts";
import { changeItem } from "../../content/editing/editing.ts";
import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import type { ImportCounts } from "../../content/import/import-items.ts";
import type { Item } from "../../content/items/item.ts";
import type { ContentRecord } from "../../content/record.ts";
import {
  buildStarterPages,
  isStarterPage,
  starterAboutPagePath,
} from "../../content/site/starter-site.ts";
import { AppError, type Wording } from "../../errors.ts";

/**
 * Turns the placeholder page "About us" of a new site into a draft, unless it was edited. Called after the
 * import of a former site. A placeholder home page links to "About us": if the home page is still a
 * placeholder, both pages stay public and are reported. The contact form and the privacy statement stay,
 * because they suit every site.
 */
export async function withdrawAboutPlaceholder(
  record: ContentRecord,
  actor: Actor,
  {
    now,
    counts,
    onNote,
  }: { now: Date; counts: ImportCounts; onNote?: ((message: Wording) => void) | undefined },
): Promise<void> {
  if (counts.created + counts.updated === 0) return;
  const profile = await record.site();
  if (profile === null || !hasScope(actor, "content:publish")) return;
  const { language } = profile;
  const about = await untouchedPage(record, starterAboutPagePath(language), language);
  if (about === null) return;
  if ((await untouchedPage(record, "/", language)) !== null) {
    onNote?.(stillThere(about));
    return;
  }
  const isWithdrawn = await withdraw(record, actor, { id: about.id, now });
  onNote?.(isWithdrawn ? withdrawn(about) : stillThere(about));
}

/** The unedited public placeholder pages of a new site, while an export is imported. */
export interface PlaceholderPages {
  /** Wraps the events of the import, to record which placeholder pages the import replaces. */
  watching(events: ImportEventHandlers): ImportEventHandlers;
  /**
   * Turns the placeholder pages that were not replaced into drafts, because the exported site has
   * no such pages.
   */
  withdrawOthers(record: ContentRecord, actor: Actor, now: Date): Promise<void>;
}

/** Finds the placeholder pages. Must be called before anything is imported. */
export async function findPlaceholderPages(record: ContentRecord): Promise<PlaceholderPages> {
  const pages = await placeholderPages(record);
  return {
    watching: (events) => ({
      ...events,
      onOutcome(outcome) {
        if (outcome.path !== null) pages.delete(outcome.path);
        events.onOutcome?.(outcome);
      },
    }),
    async withdrawOthers(content, actor, now) {
      if (!hasScope(actor, "content:publish")) return;
      for (const id of pages.values()) await withdraw(content, actor, { id, now });
    },
  };
}

/** The ids of the placeholder pages that are public and unedited, keyed by path. */
async function placeholderPages(record: ContentRecord): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const profile = await record.site();
  if (profile === null) return found;
  for (const { path = "" } of buildStarterPages(profile.language)) {
    const page = await untouchedPage(record, path, profile.language);
    if (page !== null) found.set(path, page.id);
  }
  return found;
}

/** @returns false if the page cannot be withdrawn, for example because other items need its address. */
async function withdraw(
  record: ContentRecord,
  actor: Actor,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  try {
    await changeItem(record, actor, id, { patch: { status: "draft" }, now });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return false;
  }
}

/**
 * The page at a path. Null: the page is not public, or its text is not the placeholder of a new
 * site.
 */
async function untouchedPage(
  record: ContentRecord,
  path: string,
  siteLanguage: string,
): Promise<Item | null> {
  const item = await record.itemAt(path);
  return item !== null && isStarterPage(item, siteLanguage) ? item : null;
}

function withdrawn({ title, path }: Item): Wording {
  return {
    en: `The page "${title}" (${path}) of the new site was a placeholder and is a draft now; publish it once it is written`,
    de: `Die Seite „${title}“ (${path}) der neuen Website war ein Platzhalter und ist jetzt ein Entwurf; veröffentlichen Sie sie, sobald sie geschrieben ist`,
  };
}

function stillThere({ title, path }: Item): Wording {
  return {
    en: `The home page and "${title}" (${path}) are still those of a new site; write them, or withdraw "${title}"`,
    de: `Die Startseite und „${title}“ (${path}) sind noch die einer neuen Website; schreiben Sie sie, oder ziehen Sie „${title}“ zurück`,
  };
}
