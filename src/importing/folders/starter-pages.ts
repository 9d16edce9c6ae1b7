import { type Actor, hasScope } from "../../access/actor.ts";
import { changeItem } from "../../content/editing/editing.ts";
import type { ImportCounts } from "../../content/import/import-items.ts";
import type { ItemInput } from "../../content/items/item.ts";
import type { ContentRecord } from "../../content/record.ts";
import { aboutPath, starterPages } from "../../content/site/starter-site.ts";
import { AppError, type Wording } from "../../errors.ts";

/**
 * Makes the placeholder that a new site has for "About us" a draft once a former site was imported,
 * unless it was edited. While the home page is a placeholder too, which links to it, both stay and
 * are reported. The contact form and the privacy statement are true of every site, so that they stay.
 */
export async function withdrawPlaceholder(
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
  const pages = starterPages(profile.language);
  const about = await untouched(record, pages, aboutPath(profile.language));
  if (about === null) return;
  if ((await untouched(record, pages, "/")) !== null) {
    onNote?.(stillThere(about));
    return;
  }
  try {
    await changeItem(record, actor, about.id, { patch: { status: "draft" }, now });
    onNote?.(withdrawn(about));
  } catch (error) {
    // It stays, as where its address is needed by an item that may not lose it.
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    onNote?.(stillThere(about));
  }
}

interface Placeholder {
  id: string;
  title: string;
  path: string;
}

/** A public page that still reads as on every new site. */
async function untouched(
  record: ContentRecord,
  pages: readonly ItemInput[],
  path: string,
): Promise<Placeholder | null> {
  const page = pages.find((each) => each.path === path);
  const item = await record.itemAt(path);
  const isSame =
    item?.status === "published" &&
    item.title === page?.title &&
    item.summary === page.summary &&
    item.body === page.body;
  return item !== null && isSame ? item : null;
}

function withdrawn({ title, path }: Placeholder): Wording {
  return {
    en: `The page "${title}" (${path}) of the new site was a placeholder and is a draft now; publish it once it is written`,
    de: `Die Seite „${title}“ (${path}) der neuen Website war ein Platzhalter und ist jetzt ein Entwurf; veröffentlichen Sie sie, sobald sie geschrieben ist`,
  };
}

function stillThere({ title, path }: Placeholder): Wording {
  return {
    en: `The home page and "${title}" (${path}) are still those of a new site; write them, or withdraw "${title}"`,
    de: `Die Startseite und „${title}“ (${path}) sind noch die einer neuen Website; schreiben Sie sie, oder ziehen Sie „${title}“ zurück`,
  };
}
