import { z } from "zod";
import { createIssueMessage } from "../items/issue-messages.ts";
import { TYPES_WITH_LAYOUT } from "../types/built-in.ts";
import { LAYOUTS } from "../types/layouts.ts";
import { homeBlocksSchema } from "./home-blocks.ts";
import { sourceChoicesByNameSchema } from "./import-choices/source-choices.ts";
import { tableMappingsSchema } from "./import-choices/table-mappings.ts";
import { lookSchema, slotsSchema } from "./look/look.ts";
import { menuSchema } from "./menu.ts";
import { timeZoneSchema } from "./time-zone.ts";

const yesNoSchema = z.enum(["yes", "no"]);
const LINKS_MAX = 50;

/** One line of text; line breaks become spaces. */
const lineSchema = (charactersMax: number) =>
  z
    .string()
    .overwrite((text) => text.replace(/\s+/g, " ").trim())
    .min(1)
    .max(charactersMax)
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), {
      error: createIssueMessage({ en: "contains control characters", de: "enthält Steuerzeichen" }),
    });

const languageSchema = z
  .string()
  .min(2)
  .max(35)
  .refine(isLanguage, {
    error: createIssueMessage({
      en: "is not a language tag, such as en or de-AT",
      de: "ist kein Sprachkürzel wie en oder de-AT",
    }),
  });
const webAddressSchema = z.url({ protocol: /^https?$/ }).max(1000);

/**
 * Matches a primary subtag of two or three letters, or `x`. Longer subtags, such as "deutsch", are
 * well-formed but not registered, so they are refused.
 */
const LANGUAGE_SUBTAG = /^(?:[a-z]{2,3}|x)(?:-|$)/;

function isLanguage(tag: string): boolean {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical === tag && LANGUAGE_SUBTAG.test(tag);
  } catch {
    return false;
  }
}

const licenceSchema = z.strictObject({
  name: lineSchema(200),
  url: webAddressSchema.exactOptional(),
});

/** The texts of one edition. Missing texts come from the main edition; an empty slot shows nothing. */
const translatedProfileSchema = z.strictObject({
  name: lineSchema(100).exactOptional(),
  description: lineSchema(300).exactOptional(),
  whenToUse: z.array(lineSchema(200)).min(1).max(10).exactOptional(),
  whenNotToUse: z.array(lineSchema(200)).max(10).exactOptional(),
  home: homeBlocksSchema.exactOptional(),
  slots: slotsSchema.exactOptional(),
  licence: licenceSchema.exactOptional(),
});

export type TranslatedProfile = z.output<typeof translatedProfileSchema>;

/** The site profile: `site.yaml` in a site folder. */
export const siteProfileSchema = z.strictObject({
  name: lineSchema(100),
  /** One sentence; the summary of llms.txt and of the home page. */
  description: lineSchema(300),
  /** BCP 47 tag; the default language of items. */
  language: languageSchema.default("en"),
  /** Languages that the site publishes in besides its main one. */
  languages: z.array(languageSchema).max(LINKS_MAX).default([]),
  /** Time zone of the site's calendar days, and of times without an offset. */
  timeZone: timeZoneSchema.default("UTC"),
  /**
   * Name, description, purposes, home page, slots and licence in the other languages, keyed by BCP 47 tag.
   */
  translations: z.record(languageSchema, translatedProfileSchema).default({}),
  /** Purposes that the site is useful for, each as a phrase. */
  whenToUse: z.array(lineSchema(200)).min(1).max(10),
  /** Purposes that the site is not suitable for. */
  whenNotToUse: z.array(lineSchema(200)).max(10).default([]),
  contact: z.strictObject({
    email: z.email(),
    security: z.email().exactOptional(),
  }),
  /** The publisher, for structured data, link previews and catalogs. */
  organization: z
    .strictObject({
      type: z.enum(["Organization", "NGO", "EducationalOrganization"]).default("Organization"),
      locality: lineSchema(100).exactOptional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, {
          error: createIssueMessage({
            en: "is not a country code, such as AT or GB",
            de: "ist kein Länderkürzel wie AT oder GB",
          }),
        })
        .exactOptional(),
      /** Absolute URL of a PNG or JPEG. */
      logo: webAddressSchema.exactOptional(),
      sameAs: z.array(webAddressSchema).max(LINKS_MAX).default([]),
    })
    .prefault({}),
  /** Preferences for crawlers, as in the Content-Signal convention. */
  contentSignal: z
    .strictObject({
      search: yesNoSchema.default("yes"),
      aiInput: yesNoSchema.default("yes"),
      aiTrain: yesNoSchema.default("no"),
    })
    .prefault({}),
  /** The blocks of the home page, from top to bottom. */
  home: homeBlocksSchema.default([]),
  /** Licence of the publisher's own texts: a name and an optional URL. */
  licence: licenceSchema.exactOptional(),
  look: lookSchema.prefault({}),
  /** Layouts of built-in types, by name; declared types state their own. */
  layouts: z
    .partialRecord(z.enum(TYPES_WITH_LAYOUT.map(({ name }) => name)), z.enum(LAYOUTS))
    .exactOptional(),
  /** Whether the site is hidden: visitors and agents see only that it opens soon. */
  hidden: z.boolean().default(false),
  /**
   * Main navigation by language. An edition without a menu shows its sections, and its pages that have a
   * position in the navigation.
   */
  menus: z.record(languageSchema, menuSchema).default({}),
  /** Number of days for which personal data and usage details are stored. */
  retention: z
    .strictObject({
      /** For messages and key requests, counted from their last change. */
      messageDays: z.int().min(30).max(3650).default(365),
      /** For search texts and the paths of viewed pages; daily totals are stored longer. */
      statisticsDays: z.int().min(1).max(400).default(90),
    })
    .prefault({}),
  /** Mappings of imported tables, by table name, for repeated imports. */
  tables: tableMappingsSchema.exactOptional(),
  /**
   * How imports read folders and files, by the name of the folder or file; saved for repeated
   * imports.
   */
  sources: sourceChoicesByNameSchema.exactOptional(),
});

export type SiteProfile = z.output<typeof siteProfileSchema>;
