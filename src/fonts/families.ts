/** A font family in an npm package, with one file for each subset and style. */
export interface FontFamily {
  package: string;
  /** Prefix of the file names in the package. */
  file: string;
  /** One range for a variable font; otherwise one weight per file. */
  weights: readonly string[];
  styles: readonly ("normal" | "italic")[];
  subsets: readonly string[];
}

const EUROPEAN_SUBSETS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "vietnamese"];
const BOTH_STYLES = ["normal", "italic"] as const;

/** Open fonts (OFL 1.1) by the name that style sheets use. */
export const WEB_FONT_FAMILIES = {
  "Source Serif": {
    package: "@fontsource-variable/source-serif-4",
    file: "source-serif-4",
    weights: ["200 900"],
    styles: BOTH_STYLES,
    subsets: [...EUROPEAN_SUBSETS, "greek"],
  },
  Inter: {
    package: "@fontsource-variable/inter",
    file: "inter",
    weights: ["100 900"],
    styles: BOTH_STYLES,
    subsets: [...EUROPEAN_SUBSETS, "greek", "greek-ext"],
  },
  Playfair: {
    package: "@fontsource-variable/playfair-display",
    file: "playfair-display",
    weights: ["400 900"],
    styles: BOTH_STYLES,
    subsets: ["latin", "latin-ext", "cyrillic", "vietnamese"],
  },
  "EB Garamond": {
    package: "@fontsource-variable/eb-garamond",
    file: "eb-garamond",
    weights: ["400 800"],
    styles: BOTH_STYLES,
    subsets: [...EUROPEAN_SUBSETS, "greek", "greek-ext"],
  },
  "Plex Mono": {
    package: "@fontsource/ibm-plex-mono",
    file: "ibm-plex-mono",
    weights: ["400", "600"],
    styles: ["normal"],
    subsets: EUROPEAN_SUBSETS,
  },
  "Noto Naskh Arabic": {
    package: "@fontsource-variable/noto-naskh-arabic",
    file: "noto-naskh-arabic",
    weights: ["400 700"],
    styles: ["normal"],
    subsets: ["arabic"],
  },
  "Noto Sans Arabic": {
    package: "@fontsource-variable/noto-sans-arabic",
    file: "noto-sans-arabic",
    weights: ["100 900"],
    styles: ["normal"],
    subsets: ["arabic"],
  },
  "Frank Ruhl": {
    package: "@fontsource-variable/frank-ruhl-libre",
    file: "frank-ruhl-libre",
    weights: ["300 900"],
    styles: ["normal"],
    subsets: ["hebrew"],
  },
  "Noto Sans Hebrew": {
    package: "@fontsource-variable/noto-sans-hebrew",
    file: "noto-sans-hebrew",
    weights: ["100 900"],
    styles: ["normal"],
    subsets: ["hebrew"],
  },
} as const satisfies Record<string, FontFamily>;

export type FontFamilyName = keyof typeof WEB_FONT_FAMILIES;
