import { z } from "zod";

const yesNo = z.enum(["yes", "no"]);

/** What the association says of itself: `site.yaml` in a site folder. */
export const siteProfileSchema = z.strictObject({
  name: z.string().min(1).max(100),
  /** One sentence; the summary of llms.txt and of the home page. */
  description: z.string().min(1).max(300),
  /** BCP 47 tag of the language items are in unless they say otherwise. */
  language: z.string().min(2).max(35).default("en"),
  /** Other languages the site publishes in. */
  languages: z.array(z.string().min(2).max(35)).default([]),
  /** What people and agents should come here for, a phrase each. */
  whenToUse: z.array(z.string().min(1).max(200)).min(1).max(10),
  /** What they should not rely on it for. */
  whenNotToUse: z.array(z.string().min(1).max(200)).max(10).default([]),
  contact: z.strictObject({
    email: z.email(),
    security: z.email().exactOptional(),
  }),
  /** Who publishes the site, for structured data, link previews and catalogs. */
  organization: z
    .strictObject({
      type: z.enum(["Organization", "NGO", "EducationalOrganization"]).default("Organization"),
      locality: z.string().exactOptional(),
      country: z.string().length(2).exactOptional(),
      /** Absolute address of a PNG or JPEG. */
      logo: z.url({ protocol: /^https?$/ }).exactOptional(),
      sameAs: z.array(z.url()).default([]),
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
  licence: z
    .strictObject({ name: z.string().min(1), url: z.url().exactOptional() })
    .exactOptional(),
});

export type SiteProfile = z.output<typeof siteProfileSchema>;
