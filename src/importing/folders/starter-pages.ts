import { type Actor, hasScope } from "../../access/actor.ts";
import { changeItem } from "../../content/editing/editing.ts";
import type { ImportCounts } from "../../content/import/import-items.ts";
import type { ItemInput } from "../../content/items/item.ts";
import type { ContentRecord } from "../../content/record.ts";
import { aboutPath, starterPages } from "../../content/site/starter-site.ts";
import { AppError, type Wording } from "../../errors.ts";

/**
 * Turns the placeholder page "About us" of a new site into a draft after the import of a former
 * site, unless the page was edited. If the home page is still a placeholder too, it links to "About
 * us", so both pages are kept and reported. The contact form and the privacy statement stay, as
 * they suit every site.
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
  const about = await untouchedPage(record, pages, aboutPath(profile.language));
  if (about === null) return;
  if ((await untouchedPage(record, pages, "/")) !== null) {
    onNote?.(stillThere(about));
    return;
  }
  try {
    await changeItem(record, actor, about.id, { patch: { status: "draft" }, now });
    onNote?.(withdrawn(about));
  } catch (error) {
    // The page stays if it cannot be withdrawn, for example because other items need its address.
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    onNote?.(stillThere(about));
  }
}

interface Placeholder {
  id: string;
  title: string;
  path: string;
}

/** The page at a path if it is public and its text is that of a new site; null otherwise. */
async function untouchedPage(
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
