import { escapeHtml } from "../wordpress/shortcodes.ts";
import type { HtmlPlaceholders } from "./html-placeholders.ts";

export interface WikiFileContext {
  kept: HtmlPlaceholders;
  /** Returns the address of an uploaded file, given its name. */
  fileUrl(name: string): string;
}

/**
 * Matches a field of a file link that is an option, such as `thumb`, in English, German, French or Spanish. A
 * field that is neither an option nor an `ALT` field is the caption.
 */
const OPTION =
  /^(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|cent(?:er|re)|none|baseline|sub|super|top|text-top|middle|bottom|text-bottom|upright(?:[ =][\d.]+)?|(?:\d+)?(?:x\d+)?\s?px|(?:thumb|link|lang|page|class|start|end|thumbtime|verweis|seite|sprache|klasse|lien|langue|enlace)\s?=.*|loop|muted|mini(?:atur)?|gerahmt|hochkant(?:[ =][\d.]+)?|rahmenlos|oben|mitte|unten|rand|links|rechts|zentriert|ohne|vignette|cadre|sans_cadre|encadré|gauche|droite|centré|redresse(?:[ =][\d.]+)?|miniatura(?:deimagen)?|marco|izquierda|derecha|centro|centrado)$/is;
const FRAMED =
  /^(?:thumb(?:nail)?|frame|framed|thumb\s?=.*|mini(?:atur)?|gerahmt|vignette|cadre|miniatura(?:deimagen)?|marco)$/is;
const ALT = /^alt(?:ernativtext)?\s?=(.*)$/is;
const PICTURE = /\.(?:png|jpe?g|jpe|gif|svg|webp|avif|bmp|tiff?|xcf)$/i;

/**
 * Converts wikitext such as `[[File:Garden.jpg|thumb|A rose]]` to HTML: a picture with its caption,
 * or a link to a file of another kind.
 *
 * @param fields the parts after the name, such as `thumb` and `A rose`.
 */
export function convertFileLinkToHtml(
  name: string,
  fields: readonly string[],
  { kept, fileUrl }: WikiFileContext,
): string {
  const given = fields.map((field) => field.trim());
  const alt = given.map((field) => ALT.exec(field)?.[1]?.trim()).find((text) => text !== undefined);
  const captions = given.filter((field) => !OPTION.test(field) && !ALT.test(field));
  const caption = (captions.at(-1) ?? "").replaceAll("\n", " ");
  const url = escapeHtml(fileUrl(name));
  if (!PICTURE.test(name)) {
    return `${kept.keep(`<a href="${url}">`)}${caption || escapeHtml(name)}${kept.keep("</a>")}`;
  }
  const isFramed = given.some((field) => FRAMED.test(field));
  const text = alt ?? (isFramed ? "" : plainWords(caption));
  const picture = `<img src="${url}" alt="${escapeHtml(text)}">`;
  if (caption === "" || !isFramed) return kept.keep(picture);
  return `${kept.keep(`<figure>${picture}<figcaption>`, "B")}${caption}${kept.keep("</figcaption></figure>", "E")}`;
}

/** Removes the marks for bold and italics, and the placeholders for kept HTML. */
function plainWords(text: string): string {
  return text.replaceAll(/'{2,}|\u007f[BEI]\d+\u007f/g, "").trim();
}
