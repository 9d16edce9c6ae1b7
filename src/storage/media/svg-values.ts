import { SVG_FUNCTIONS, SVG_PROPERTIES } from "./svg-allowed.ts";

const FUNCTION_CHARACTERS_MAX = 24;
const LOCAL_FRAGMENT = /^#[\w.:-]{1,200}$/;
const LOCAL_URL = /^\s*(["']?)#[\w.:-]{1,200}\1\s*\)/;
const RASTER_DATA = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/;
const PLAIN_SELECTOR = /^[\w\s.#,>+~*-]{1,1000}$/;

/** Whether the reference points to an element of the same picture. */
export function isLocalReference(reference: string): boolean {
  return LOCAL_FRAGMENT.test(reference.trim());
}

/** Whether the reference is a raster image as a `data:` URL. */
export function isRasterDataUrl(reference: string): boolean {
  return RASTER_DATA.test(reference.trim());
}

/**
 * True if the value cannot make a browser load anything, because it has only known functions, no
 * escapes and no comments.
 */
export function isHarmlessSvgValue(value: string): boolean {
  if (value.includes("\\") || value.includes("/*") || value.includes("@")) return false;
  const pieces = value.split("(");
  return pieces.slice(0, -1).every((piece, at) => {
    const [, name = ""] = /([\w-]*)\s*$/.exec(piece.slice(-FUNCTION_CHARACTERS_MAX)) ?? [];
    if (name.toLowerCase() === "url") return LOCAL_URL.test((pieces[at + 1] ?? "").slice(0, 300));
    return SVG_FUNCTIONS.has(name.toLowerCase());
  });
}

/**
 * Returns the declarations of a `style` attribute that have a known property and a harmless value.
 */
export function sanitizeStyleDeclarations(text: string): string {
  const declarations = text.split(";").flatMap((declaration) => {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    const isKept = SVG_PROPERTIES.has(property) && value !== "" && isHarmlessSvgValue(value);
    return isKept && !/[{}<>]/.test(value) ? [`${property}:${value}`] : [];
  });
  return declarations.join(";");
}

/**
 * Returns only the rules with plain selectors; null if there are at-rules or escapes, whose effect
 * is unknown.
 */
export function sanitizeStyleSheet(text: string): string | null {
  const css = withoutComments(text);
  if (css.includes("@") || css.includes("\\")) return null;
  const rules = css.split("}").flatMap((rule) => {
    const brace = rule.indexOf("{");
    const selector = rule.slice(0, brace).trim();
    if (brace < 0 || !PLAIN_SELECTOR.test(selector)) return [];
    return [`${selector}{${sanitizeStyleDeclarations(rule.slice(brace + 1))}}`];
  });
  return rules.join("\n");
}

function withoutComments(css: string): string {
  const [first = "", ...others] = css.split("/*");
  const rest = others.map((piece) => {
    const end = piece.indexOf("*/");
    return end < 0 ? "" : piece.slice(end + 2);
  });
  return [first, ...rest].join(" ");
}
