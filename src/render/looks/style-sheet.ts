import { hash } from "node:crypto";
import type { Look } from "../../content/site/look/look.ts";
import { BUILT_IN_LOOKS, type Palette, paletteOf } from "../../content/site/look/palette.ts";
import { parseSiteCss } from "../../content/site/look/site-css.ts";
import { CONTENT_PAGE_STYLES } from "../blocks/reader-styles.ts";
import { BASE_STYLE } from "./base.ts";
import { CONTROLS_STYLE } from "./controls.ts";
import { FIGURE_STYLES } from "./figure-styles.ts";
import { fontRules } from "./font-rules.ts";
import { LOOK_STYLES } from "./look-styles.ts";
import { MEDIA_QUERIES, TRANSITION_RULES } from "./media-queries.ts";

export interface StyleSheet {
  css: string;
  /** Contains a hash of the style sheet, so that browsers may cache it for a year. */
  path: string;
  /** Path of the font to load first; null if there is none. */
  preload: string | null;
  /** Background colour of pages, also used for the browser's toolbars. */
  paper: { light: string; dark: string };
}

/** Fixed path of the current style sheet, for pages that do not read the site's content. */
export const FIXED_STYLE_SHEET_PATH = "/assets/theme.css";

const STYLE_PATH = /^\/assets\/theme(?:-[0-9a-f]{12})?\.css$/;

export function isStyleSheetPath(path: string): boolean {
  return STYLE_PATH.test(path);
}

const TEXT_WIDTHS: Readonly<Record<NonNullable<Look["width"]>, string>> = {
  narrow: "38rem",
  medium: "43rem",
  wide: "50rem",
};

const sheets = new WeakMap<Look, StyleSheet>();

/** The style sheet of a look, computed once for each look object. */
export function styleSheet(look: Look): StyleSheet {
  const known = sheets.get(look);
  if (known !== undefined) return known;
  const sheet = createSheet(look);
  sheets.set(look, sheet);
  return sheet;
}

function createSheet(look: Look): StyleSheet {
  const builtIn = BUILT_IN_LOOKS[look.name];
  const fonts = fontRules(look.fonts ?? builtIn.fonts);
  const light = paletteOf(look, "light");
  const dark = paletteOf(look, "dark");
  const measure = TEXT_WIDTHS[look.width ?? builtIn.width];
  const siteRules = look.css === undefined ? "" : parseSiteCss(look.css).css;
  const colours = `:root{color-scheme:light dark;${properties({ ...light, ...fonts.properties, measure })}}
@media (prefers-color-scheme:dark){:root{${properties(dark)}}}`;
  const css = [
    "@layer base, look, site, surroundings;",
    fonts.css,
    TRANSITION_RULES,
    layer("base", `${colours}${BASE_STYLE}${CONTENT_PAGE_STYLES}${FIGURE_STYLES}${CONTROLS_STYLE}`),
    layer("look", LOOK_STYLES[look.name]),
    layer("site", siteRules),
    layer("surroundings", MEDIA_QUERIES),
  ]
    .map(withoutIndents)
    .join("\n");
  const path = `/assets/theme-${hash("sha256", css).slice(0, 12)}.css`;
  return { css, path, preload: fonts.preload, paper: { light: light.paper, dark: dark.paper } };
}

function layer(name: string, rules: string): string {
  return `@layer ${name}{${rules}}`;
}

function properties(values: Palette | Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}:${value}`)
    .join(";");
}

function withoutIndents(css: string): string {
  return css.replaceAll(/\s*\n\s*/g, "\n").trim();
}
