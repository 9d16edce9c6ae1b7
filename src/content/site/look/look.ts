import { z } from "zod";
import { worded } from "../../items/issue-messages.ts";

/** Names of the built-in looks. */
export const LOOKS = ["classic", "modern", "broadsheet", "archive"] as const;
/** Fonts for headings and text; `system` loads none. */
export const FONT_PAIRS = ["source", "inter", "playfair", "garamond", "system"] as const;
export const WIDTHS = ["narrow", "medium", "wide"] as const;
/**
 * Where editors can add their own Markdown: above the header, in the footer, on the home page,
 * after a quotation.
 */
export const SLOTS = ["header", "footer", "home", "quotation"] as const;
/** List and quotation markers on a line. Deeper nesting could not be rendered and is refused. */
const MARKERS_MAX = 20;

export type LookName = (typeof LOOKS)[number];
export type FontPair = (typeof FONT_PAIRS)[number];
export type Slot = (typeof SLOTS)[number];

const SLOT_CHARACTERS_MAX = 2000;
const CSS_CHARACTERS_MAX = 20_000;

const colour = z
  .string()
  .overwrite(longColour)
  .regex(/^#[0-9a-f]{6}$/, {
    error: worded({ en: "is no colour, as #0b57a4", de: "ist keine Farbe wie #0b57a4" }),
  });

const colours = {
  accent: colour.exactOptional(),
  paper: colour.exactOptional(),
  ink: colour.exactOptional(),
};

const picture = z
  .string()
  .max(300)
  .regex(/^\/media\/[\w.-]+\.(?:svg|png|jpe?g|webp|avif|gif)$/, {
    error: worded({
      en: "is no picture of this site, as /media/….svg",
      de: "ist kein Bild dieser Website wie /media/….svg",
    }),
  });

/** A line with this many list and quotation markers nests too deep; a thematic break does not. */
const TOO_DEEP = new RegExp(`^(?![-*_\\s]+$)[\\s>*+.)\\d-]{${MARKERS_MAX},}`, "m");

const slot = z
  .string()
  .max(SLOT_CHARACTERS_MAX)
  .refine((text) => !TOO_DEEP.test(text), {
    error: worded({
      en: "nests lists or quotations too deep",
      de: "verschachtelt Listen oder Zitate zu tief",
    }),
  })
  .exactOptional();

/** The appearance of a site: `look` in `site.yaml` and in the settings. */
export const lookSchema = z.strictObject({
  name: z.enum(LOOKS).default("classic"),
  /** For the light scheme; missing colours are the look's own. */
  ...colours,
  /** For the dark scheme; missing colours are computed from those above. */
  dark: z.strictObject(colours).exactOptional(),
  fonts: z.enum(FONT_PAIRS).exactOptional(),
  width: z.enum(WIDTHS).exactOptional(),
  /** A picture of the site, shown with its name. */
  logo: picture.exactOptional(),
  favicon: picture.exactOptional(),
  /** Allows pictures from other sites, which then learn readers' IP addresses. */
  picturesFromElsewhere: z.boolean().default(false),
  /** Markdown. */
  slots: z.strictObject({ header: slot, footer: slot, home: slot, quotation: slot }).prefault({}),
  /** Style rules appended to those of the look. */
  css: z.string().max(CSS_CHARACTERS_MAX).exactOptional(),
});

export type Look = z.output<typeof lookSchema>;

/** Expands `#ABC` to `#aabbcc`. */
function longColour(text: string): string {
  const low = text.trim().toLowerCase();
  return /^#[0-9a-f]{3}$/.test(low) ? low.replace(/[0-9a-f]/g, "$&$&") : low;
}
