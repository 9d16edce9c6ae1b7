import { z } from "zod";
import { createIssueMessage } from "../../items/issue-messages.ts";

/** Names of the built-in looks. */
export const LOOKS = ["classic", "modern", "broadsheet", "archive"] as const;
/** Fonts for headings and text; `system` loads none. */
export const FONT_PAIRS = ["source", "inter", "playfair", "garamond", "system"] as const;
export const PAGE_WIDTHS = ["narrow", "medium", "wide"] as const;
/**
 * The places where editors can add Markdown of their own: above the header, in the footer, on the
 * home page, after a quotation.
 */
export const MARKDOWN_SLOTS = ["header", "footer", "home", "quotation"] as const;
/**
 * A line with this many list and quotation markers is refused, since text nested so deeply cannot be
 * rendered.
 */
const REFUSED_MARKERS = 20;

export type LookName = (typeof LOOKS)[number];
export type FontPair = (typeof FONT_PAIRS)[number];
export type MarkdownSlot = (typeof MARKDOWN_SLOTS)[number];

const SLOT_CHARACTERS_MAX = 2000;
const CSS_CHARACTERS_MAX = 20_000;

const colourSchema = z
  .string()
  .overwrite(longColour)
  .regex(/^#[0-9a-f]{6}$/, {
    error: createIssueMessage({
      en: "is not a colour, such as #0b57a4",
      de: "ist keine Farbe wie #0b57a4",
    }),
  });

const colourProperties = {
  accent: colourSchema.exactOptional(),
  paper: colourSchema.exactOptional(),
  ink: colourSchema.exactOptional(),
};

const pictureSchema = z
  .string()
  .max(300)
  .regex(/^\/media\/[\w.-]+\.(?:svg|png|jpe?g|webp|avif|gif)$/, {
    error: createIssueMessage({
      en: "is not a picture of this site, such as /media/….svg",
      de: "ist kein Bild dieser Website wie /media/….svg",
    }),
  });

/** Matches a line with too many list and quotation markers, but not a thematic break. */
const TOO_DEEP = new RegExp(`^(?![-*_\\s]+$)[\\s>*+.)\\d-]{${REFUSED_MARKERS},}`, "m");

const slotSchema = z
  .string()
  .max(SLOT_CHARACTERS_MAX)
  .refine((text) => !TOO_DEEP.test(text), {
    error: createIssueMessage({
      en: "nests lists or quotations too deep",
      de: "verschachtelt Listen oder Zitate zu tief",
    }),
  })
  .exactOptional();

/** The editors' own Markdown for each slot. */
export const slotsSchema = z.strictObject({
  header: slotSchema,
  footer: slotSchema,
  home: slotSchema,
  quotation: slotSchema,
});

/** Style rules appended to those of the look. */
export const cssSchema = z.string().max(CSS_CHARACTERS_MAX);

/** The appearance of a site: `look` in `site.yaml` and in the settings. */
export const lookSchema = z.strictObject({
  name: z.enum(LOOKS).default("classic"),
  /** The colours of the light scheme. A colour that is not set comes from the look. */
  ...colourProperties,
  /** The colours of the dark scheme. A colour that is not set is computed from those of the light scheme. */
  dark: z.strictObject(colourProperties).exactOptional(),
  fonts: z.enum(FONT_PAIRS).exactOptional(),
  width: z.enum(PAGE_WIDTHS).exactOptional(),
  /** A picture that is shown with the site's name. */
  logo: pictureSchema.exactOptional(),
  favicon: pictureSchema.exactOptional(),
  /** Allows pictures from other sites, which then learn readers' IP addresses. */
  picturesFromElsewhere: z.boolean().default(false),
  slots: slotsSchema.prefault({}),
  /** Style rules; in a site folder, the file `theme.css`. */
  css: cssSchema.exactOptional(),
});

export type Look = z.output<typeof lookSchema>;

/** Expands `#ABC` to `#aabbcc`. */
function longColour(text: string): string {
  const lowerCase = text.trim().toLowerCase();
  return /^#[0-9a-f]{3}$/.test(lowerCase) ? lowerCase.replace(/[0-9a-f]/g, "$&$&") : lowerCase;
}
