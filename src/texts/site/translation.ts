import { ENGLISH_SITE_TEXTS, type SiteTexts } from "./english.ts";

type Group = {
  [Name in keyof SiteTexts]: SiteTexts[Name] extends string | ((...parts: never) => unknown)
    ? never
    : Name;
}[keyof SiteTexts];

/**
 * The texts of the public site in a language other than English. The newest texts can be missing; a test
 * lists them.
 */
export type SiteTextsTranslation = Omit<SiteTexts, Group> &
  Pick<SiteTexts, "types"> & { [Name in Exclude<Group, "types">]?: Partial<SiteTexts[Name]> };

/** Texts of visitor forms and error pages. */
export type FormTexts = Pick<
  SiteTextsTranslation,
  "contact" | "claim" | "form" | "errors" | "faults"
>;

/** The catalogue, with English texts in place of missing texts. */
export function withEnglishDefaults(texts: SiteTextsTranslation): SiteTexts {
  return {
    ...texts,
    frame: { ...ENGLISH_SITE_TEXTS.frame, ...texts.frame },
    search: { ...ENGLISH_SITE_TEXTS.search, ...texts.search },
    list: { ...ENGLISH_SITE_TEXTS.list, ...texts.list },
    item: { ...ENGLISH_SITE_TEXTS.item, ...texts.item },
    calendar: { ...ENGLISH_SITE_TEXTS.calendar, ...texts.calendar },
    timeline: { ...ENGLISH_SITE_TEXTS.timeline, ...texts.timeline },
    home: { ...ENGLISH_SITE_TEXTS.home, ...texts.home },
    filters: { ...ENGLISH_SITE_TEXTS.filters, ...texts.filters },
    quotation: { ...ENGLISH_SITE_TEXTS.quotation, ...texts.quotation },
    verification: { ...ENGLISH_SITE_TEXTS.verification, ...texts.verification },
    missing: { ...ENGLISH_SITE_TEXTS.missing, ...texts.missing },
    contact: { ...ENGLISH_SITE_TEXTS.contact, ...texts.contact },
    claim: { ...ENGLISH_SITE_TEXTS.claim, ...texts.claim },
    opening: { ...ENGLISH_SITE_TEXTS.opening, ...texts.opening },
    preview: { ...ENGLISH_SITE_TEXTS.preview, ...texts.preview },
    refusals: { ...ENGLISH_SITE_TEXTS.refusals, ...texts.refusals },
    form: { ...ENGLISH_SITE_TEXTS.form, ...texts.form },
    faults: { ...ENGLISH_SITE_TEXTS.faults, ...texts.faults },
    errors: { ...ENGLISH_SITE_TEXTS.errors, ...texts.errors },
  };
}
