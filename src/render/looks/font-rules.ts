import type { FontPair } from "../../content/site/look/look.ts";
import type { FontFamilyName } from "../../fonts/families.ts";
import { type FontFace, readFontFaces } from "../../fonts/font-files.ts";

interface Pair {
  /** Font families for headings, text and labels. If absent, a system font is used. */
  heads?: FontFamilyName;
  text?: FontFamilyName;
  labels?: FontFamilyName;
  /** Font families for Arabic and Hebrew. */
  others: readonly FontFamilyName[];
  /** System fonts, used until the web fonts have loaded, and for scripts that no web font covers. */
  system: string;
}

const SERIF_FONTS =
  'Georgia, "Noto Serif", "Songti SC", "Noto Serif CJK SC", "Hiragino Mincho ProN", "Yu Mincho", serif';
const SANS_FONTS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans CJK SC", "Hiragino Sans", sans-serif';
const MONO_FONTS = "ui-monospace, Menlo, Consolas, monospace";

const OTHER_SERIFS = ["Noto Naskh Arabic", "Frank Ruhl"] as const;
const OTHER_SANS = ["Noto Sans Arabic", "Noto Sans Hebrew"] as const;

const FONT_PAIRS: Readonly<Record<FontPair, Pair>> = {
  source: {
    heads: "Source Serif",
    text: "Source Serif",
    labels: "Source Serif",
    others: OTHER_SERIFS,
    system: SERIF_FONTS,
  },
  inter: { heads: "Inter", text: "Inter", labels: "Inter", others: OTHER_SANS, system: SANS_FONTS },
  playfair: {
    heads: "Playfair",
    text: "Source Serif",
    labels: "Source Serif",
    others: OTHER_SERIFS,
    system: SERIF_FONTS,
  },
  garamond: {
    heads: "EB Garamond",
    text: "EB Garamond",
    labels: "Plex Mono",
    others: OTHER_SERIFS,
    system: SERIF_FONTS,
  },
  system: { others: [], system: SANS_FONTS },
};

/**
 * The width of each web font as a percentage of the width of its local replacement: Arial for Inter,
 * Times for all other fonts. Measured on 900 letters of English text.
 */
const FALLBACK_SIZES: Partial<Record<FontFamilyName, number>> = {
  "Source Serif": 118,
  Playfair: 106,
  "EB Garamond": 94,
  Inter: 107,
};

interface FontRules {
  css: string;
  /** CSS custom properties with the font stacks. */
  properties: Readonly<Record<string, string>>;
  /** Path of the font file that most pages need first; null if no file is loaded. */
  preload: string | null;
}

/**
 * The rules that load a pair of fonts. A browser loads a font file only if a page has characters of the
 * file's subset.
 */
export function fontRules(name: FontPair): FontRules {
  const { heads, text, labels, others, system } = FONT_PAIRS[name];
  const families = [
    ...new Set([text, heads, labels, ...others].filter((family) => family !== undefined)),
  ];
  const faces = families.map(readFontFaces);
  const stack = (family: FontFamilyName | undefined) =>
    [family, ...others].flatMap((known) => (known === undefined ? [] : `"${known}"`));
  const first = text === undefined ? undefined : readFontFaces(text).find(isFirst);
  return {
    css: faces.flat().map(faceRule).join("\n") + fallbackRules(families),
    properties: {
      "text-font": [...stack(text), ...fallback(text), system].join(", "),
      "head-font": [...stack(heads), ...fallback(heads), system].join(", "),
      "label-font": [...stack(labels), labels === "Plex Mono" ? MONO_FONTS : system].join(", "),
    },
    preload: first?.path ?? null,
  };
}

function isFirst({ subset, style }: FontFace): boolean {
  return subset === "latin" && style === "normal";
}

function faceRule({ family, style, weight, unicodeRange, path }: FontFace): string {
  return `@font-face{font-family:"${family}";font-style:${style};font-weight:${weight};font-display:swap;src:url(${path}) format("woff2");unicode-range:${unicodeRange}}`;
}

function fallback(family: FontFamilyName | undefined): string[] {
  return family !== undefined && FALLBACK_SIZES[family] !== undefined
    ? [`"${family} Fallback"`]
    : [];
}

/**
 * Rules for local fonts that replace the web fonts until the web fonts load. The local fonts are scaled to
 * the size of the web fonts, so that text does not shift.
 */
function fallbackRules(families: readonly FontFamilyName[]): string {
  return families
    .map((family) => {
      const size = FALLBACK_SIZES[family];
      if (size === undefined) return "";
      const localFonts =
        family === "Inter" ? ["Arial", "Liberation Sans"] : ["Times New Roman", "Liberation Serif"];
      const sources = localFonts.map((name) => `local("${name}")`).join(",");
      return `\n@font-face{font-family:"${family} Fallback";src:${sources};size-adjust:${size}%}`;
    })
    .join("");
}
