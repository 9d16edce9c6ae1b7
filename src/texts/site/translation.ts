import { ENGLISH, type SiteTexts } from "./english.ts";

type Group = {
  [Name in keyof SiteTexts]: SiteTexts[Name] extends string | ((...parts: never) => unknown)
    ? never
    : Name;
}[keyof SiteTexts];

/**
 * The texts of the public site in a language other than English. The newest texts may be missing; a test
 * lists them.
 */
export type Translation = Omit<SiteTexts, Group> &
  Pick<SiteTexts, "types"> & { [Name in Exclude<Group, "types">]?: Partial<SiteTexts[Name]> };

/** Texts of visitor forms and error pages. */
export type FormTexts = Pick<Translation, "contact" | "claim" | "form" | "errors" | "faults">;

/** The catalogue with English texts in the place of missing ones. */
export function withEnglishDefaults(texts: Translation): SiteTexts {
  return {
    ...texts,
    frame: { ...ENGLISH.frame, ...texts.frame },
    search: { ...ENGLISH.search, ...texts.search },
    list: { ...ENGLISH.list, ...texts.list },
    item: { ...ENGLISH.item, ...texts.item },
    calendar: { ...ENGLISH.calendar, ...texts.calendar },
    timeline: { ...ENGLISH.timeline, ...texts.timeline },
    home: { ...ENGLISH.home, ...texts.home },
    filters: { ...ENGLISH.filters, ...texts.filters },
    quotation: { ...ENGLISH.quotation, ...texts.quotation },
    verification: { ...ENGLISH.verification, ...texts.verification },
    missing: { ...ENGLISH.missing, ...texts.missing },
    contact: { ...ENGLISH.contact, ...texts.contact },
    claim: { ...ENGLISH.claim, ...texts.claim },
    opening: { ...ENGLISH.opening, ...texts.opening },
    preview: { ...ENGLISH.preview, ...texts.preview },
    refusals: { ...ENGLISH.refusals, ...texts.refusals },
    form: { ...ENGLISH.form, ...texts.form },
    faults: { ...ENGLISH.faults, ...texts.faults },
    errors: { ...ENGLISH.errors, ...texts.errors },
  };
}
