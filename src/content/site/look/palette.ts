import {
  type Colour,
  contrastRatio,
  ensureLegibleColour,
  isDark,
  mixColours,
  withLightness,
} from "./colour.ts";
import type { FontPair, Look, LookName } from "./look.ts";

/** The minimum contrast ratio of text (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST_MIN = 4.5;
/** The minimum contrast ratio of the borders of controls (WCAG 2.2, 1.4.11). */
const CONTROL_CONTRAST = 3;

export const COLOUR_SCHEMES = ["light", "dark"] as const;
export type ColourScheme = (typeof COLOUR_SCHEMES)[number];

/** The colours that an editor chooses; the other colours are computed from them. */
export interface BaseColours {
  paper: Colour;
  ink: Colour;
  accent: Colour;
}

/** Every colour of a style sheet, by the name of its custom property. */
export interface Palette extends BaseColours {
  /** Background of panels and cards. */
  raised: Colour;
  /** Colour of less important text. */
  soft: Colour;
  /** Decorative lines. */
  line: Colour;
  /** Borders of controls. */
  control: Colour;
  link: Colour;
  visited: Colour;
  /** Background of highlighted words. */
  mark: Colour;
  /** Colour of text on a background in the accent colour. */
  onAccent: Colour;
  good: Colour;
  doubt: Colour;
  bad: Colour;
}

interface BuiltIn extends BaseColours {
  fonts: FontPair;
  width: NonNullable<Look["width"]>;
}

export const BUILT_IN_LOOKS: Readonly<Record<LookName, BuiltIn>> = {
  classic: {
    paper: "#fbf8f1",
    ink: "#25221d",
    accent: "#8c2f1b",
    fonts: "source",
    width: "medium",
  },
  modern: { paper: "#ffffff", ink: "#16181d", accent: "#2447d6", fonts: "inter", width: "wide" },
  broadsheet: {
    paper: "#fdfcfa",
    ink: "#111111",
    accent: "#9a1b22",
    fonts: "playfair",
    width: "wide",
  },
  archive: {
    paper: "#f1ede2",
    ink: "#23271f",
    accent: "#2f5a41",
    fonts: "garamond",
    width: "narrow",
  },
};

const YELLOW = "#ffd83d";
const GREEN = "#1a7f4b";
const AMBER = "#9a6200";
const RED = "#b3261e";

/**
 * All colours of a site in one colour scheme. If text in the base colours is legible, so is all
 * other text.
 */
export function paletteOf(look: Look, scheme: ColourScheme): Palette {
  const { paper, ink, accent } = baseColours(look, scheme);
  const raised = mixColours(paper, ink, 0.045);
  const backgrounds = [paper, raised];
  const textColour = (colour: Colour) =>
    ensureLegibleColour(colour, backgrounds, TEXT_CONTRAST_MIN);
  const link = textColour(accent);
  return {
    paper,
    ink: textColour(ink),
    accent: link,
    raised,
    soft: textColour(mixColours(ink, paper, 0.3)),
    line: mixColours(paper, ink, 0.17),
    control: ensureLegibleColour(mixColours(paper, ink, 0.45), backgrounds, CONTROL_CONTRAST),
    link,
    visited: textColour(mixColours(accent, ink, 0.45)),
    mark: readableBackground(mixColours(paper, YELLOW, isDark(paper) ? 0.3 : 0.5), { ink, paper }),
    onAccent:
      contrastRatio(paper, link) >= TEXT_CONTRAST_MIN
        ? paper
        : ensureLegibleColour(ink, [link], TEXT_CONTRAST_MIN),
    good: textColour(GREEN),
    doubt: textColour(AMBER),
    bad: textColour(RED),
  };
}

/**
 * The base colours of a site. Colours that the site does not set come from its look; missing dark
 * colours are derived from the light ones.
 */
export function baseColours(look: Look, scheme: ColourScheme): BaseColours {
  const { paper, ink, accent } = { ...BUILT_IN_LOOKS[look.name], ...definedColours(look) };
  const isAlwaysDark = isDark(paper);
  if (scheme === "light" || isAlwaysDark) {
    return scheme === "light"
      ? { paper, ink, accent }
      : { paper, ink, accent, ...definedColours(look.dark ?? {}) };
  }
  const darkColours = {
    paper: withLightness(paper, 0.2, 0.012),
    ink: withLightness(paper, 0.915, 0.012),
    ...definedColours(look.dark ?? {}),
  };
  const backgrounds = [darkColours.paper, mixColours(darkColours.paper, darkColours.ink, 0.045)];
  const lightAccent = withLightness(accent, 0.76, 0.13);
  return {
    ...darkColours,
    accent: look.dark?.accent ?? ensureLegibleColour(lightAccent, backgrounds, TEXT_CONTRAST_MIN),
  };
}

function definedColours({ paper, ink, accent }: Partial<BaseColours>): Partial<BaseColours> {
  return {
    ...(paper === undefined ? {} : { paper }),
    ...(ink === undefined ? {} : { ink }),
    ...(accent === undefined ? {} : { accent }),
  };
}

/** The colour closest to `background` on which text in the colour `ink` is legible. */
function readableBackground(
  background: Colour,
  { ink, paper }: Pick<BaseColours, "ink" | "paper">,
): Colour {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mixColours(background, paper, share);
    if (contrastRatio(candidate, ink) >= TEXT_CONTRAST_MIN) return candidate;
  }
  return paper;
}
