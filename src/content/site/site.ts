import { z } from "zod";

const yesNo = z.enum(["yes", "no"]);
const LINKS_MAX = 50;

/** One line of text, however it was wrapped where it was written. */
const line = (charactersMax: number) =>
  z
    .string()
    .overwrite((text) => text.replace(/\s+/g, " ").trim())
    .min(1)
    .max(charactersMax)
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), "contains control characters");

const language = z.string().min(2).max(35).refine(isLanguage, "is no language tag, as en or de-AT");
const webAddress = z.url({ protocol: /^https?$/ }).max(1000);

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

/** What the association says of itself: `site.yaml` in a site folder. */
export const siteProfileSchema = z.strictObject({
  name: line(100),
  /** One sentence; the summary of llms.txt and of the home page. */
  description: line(300),
  /** BCP 47 tag of the language items are in unless they say otherwise. */
  language: language.default("en"),
  /** Other languages the site publishes in. */
  languages: z.array(language).max(LINKS_MAX).default([]),
  /** What people and agents should come here for, a phrase each. */
  whenToUse: z.array(line(200)).min(1).max(10),
  /** What they should not rely on it for. */
  whenNotToUse: z.array(line(200)).max(10).default([]),
  contact: z.strictObject({
    email: z.email(),
    security: z.email().exactOptional(),
  }),
  /** Who publishes the site, for structured data, link previews and catalogs. */
  organization: z
    .strictObject({
      type: z.enum(["Organization", "NGO", "EducationalOrganization"]).default("Organization"),
      locality: line(100).exactOptional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, "is no country code, as AT or GB")
        .exactOptional(),
      /** Absolute address of a PNG or JPEG. */
      logo: webAddress.exactOptional(),
      sameAs: z.array(webAddress).max(LINKS_MAX).default([]),
    })
    .prefault({}),
  /** What crawlers are asked to respect, by the Content-Signal convention. */
  contentSignal: z
    .strictObject({
      search: yesNo.default("yes"),
      aiInput: yesNo.default("yes"),
      aiTrain: yesNo.default("no"),
    })
    .prefault({}),
  /** Licence of the association's own texts: a name and, if there is one, its address. */
  licence: z.strictObject({ name: line(200), url: webAddress.exactOptional() }).exactOptional(),
});

export type SiteProfile = z.output<typeof siteProfileSchema>;
