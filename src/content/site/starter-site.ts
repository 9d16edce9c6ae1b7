import { isTransientError } from "../../errors.ts";
import { baseLanguage } from "../../texts/choose.ts";
import type { StarterTexts } from "../../texts/starter/english.ts";
import { starterTexts } from "../../texts/starter/starter-texts.ts";
import { saveItem } from "../editing/editing.ts";
import { type Item, type ItemInput, itemInputSchema } from "../items/item.ts";
import type { ContentRecord, ContentTransaction } from "../record.ts";
import { type SiteProfile, siteProfileSchema } from "./site.ts";
import { saveSite } from "./site-saving.ts";

/**
 * Limits how often a process waits for another one to fill the store. Each attempt waits for the
 * store's write lock.
 */
const ATTEMPTS_MAX = 10;

/**
 * Fills an empty store in one transaction. If several processes find it empty, one fills it and the
 * others wait.
 */
export async function fillEmptyStore(
  record: ContentRecord,
  fill: (transaction: ContentTransaction) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; (await record.site()) === null; attempt += 1) {
    try {
      await record.write(async (transaction) => {
        if ((await transaction.site()) === null) await fill(transaction);
      });
      return;
    } catch (error) {
      if (!isTransientError(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** The contact address until editors enter their own. */
export const PLACEHOLDER_EMAIL = "editors@example.org";

/** The editors' email address; null while it is the placeholder. */
export function editorsEmail({ contact }: SiteProfile): string | null {
  return contact.email === PLACEHOLDER_EMAIL ? null : contact.email;
}

/** Whether the editors have not described the site yet. */
export function hasPlaceholderDescription({ description, language }: SiteProfile): boolean {
  return description === starterTexts(language).site.description;
}

/** Whether the site's purposes are still the placeholder. */
export function hasPlaceholderSitePurpose({
  whenToUse,
  whenNotToUse,
  language,
}: SiteProfile): boolean {
  const [only, ...more] = [...whenToUse, ...whenNotToUse];
  return more.length === 0 && only === starterTexts(language).site.purpose;
}

export interface NewSiteOptions {
  hidden?: boolean;
  /** BCP 47; falls back to English if the starter pages have no translation into it. */
  language?: string;
  /** `none` if an import supplies the pages; default `standard`. */
  pages?: "standard" | "none";
}

/** Fills an empty store with a placeholder profile and the standard pages. */
export async function createStarterSite(
  record: ContentRecord,
  now: Date,
  { hidden = false, language = "en", pages = "standard" }: NewSiteOptions = {},
): Promise<void> {
  const actor = { kind: "operator" } as const;
  const texts = starterTexts(language);
  await fillEmptyStore(record, async (transaction) => {
    const profile = starterProfile(texts, language);
    await saveSite(transaction, actor, { ...profile, hidden }, [], now);
    for (const page of pages === "none" ? [] : buildStarterPages(language)) {
      const { item } = await saveItem(transaction, actor, page, now);
      // Records the page as imported, so that a later import can replace the page as long as editors have
      // not changed it.
      await transaction.putImportBase({ itemId: item.id, revision: item.revision, stated: null });
    }
  });
}

/** The placeholder profile, until the site's own `site.yaml` is imported. */
function starterProfile({ site }: StarterTexts, language: string): SiteProfile {
  const { name, description, purpose } = site;
  const contact = { email: PLACEHOLDER_EMAIL };
  return siteProfileSchema.parse({ name, description, language, whenToUse: [purpose], contact });
}

/** Path of a new site's about page, where editors introduce the publisher. */
export function starterAboutPagePath(siteLanguage: string): string {
  return starterTexts(siteLanguage).about.path;
}

/**
 * The initial pages of every site, which editors then rewrite. A page states its language only if
 * it differs from the site's.
 */
export function buildStarterPages(siteLanguage: string): ItemInput[] {
  const { language, ...texts } = starterTexts(siteLanguage);
  const { home, about, contact, privacy, imprint, accessibility } = texts;
  const languageField = language === baseLanguage(siteLanguage) ? {} : { language };
  return [
    { path: "/", ...home, fields: { navigation: 0 } },
    { ...about, fields: { navigation: 1 } },
    { path: "/contact", ...contact, fields: { navigation: 2 } },
    { ...privacy, fields: { navigation: 3 } },
    { ...imprint, status: "draft", fields: { navigation: 4 } },
    { ...accessibility, status: "draft", fields: { navigation: 5 } },
  ].map((page) =>
    itemInputSchema.parse({ status: "published", ...page, ...languageField, type: "page" }),
  );
}

/** Whether a public item is an initial page with unchanged texts. */
export function isStarterPage(item: Item, siteLanguage: string): boolean {
  if (item.status !== "published") return false;
  const { home, about, contact, privacy, imprint, accessibility } = starterTexts(siteLanguage);
  const placed = [{ path: "/", ...home }, about, { path: "/contact", ...contact }];
  return [...placed, privacy, imprint, accessibility].some(
    ({ path, title, summary, body }) =>
      item.path === path && item.title === title && item.summary === summary && item.body === body,
  );
}
