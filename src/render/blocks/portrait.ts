import type { ShownPortrait } from "../../content/pages/view.ts";
import { html, type SafeHtml, trustedHtml } from "../html.ts";
import { escapeInline, escapeMarkdown } from "../markdown-text.ts";
import { addPictureSources } from "../picture-sources.ts";
import type { FindPicture } from "../pictures.ts";

/** The box that a portrait is fitted into, in CSS pixels. */
const WIDTH_MAX = 176;
const HEIGHT_MAX = 240;

/** A small portrait with its credit. Loaded eagerly, because it is at the top of its page. */
export function portraitHtml(portrait: ShownPortrait, findPicture: FindPicture): SafeHtml {
  const { path, alt, credit } = portrait;
  const { width, height } = fittedSize(portrait);
  const image = html`<img src="${path}" alt="${alt}" width="${width}"${height !== null && html` height="${height}"`} loading="lazy" decoding="async" />`;
  const sources = addPictureSources(image.text, { findPicture, isBelowOthers: false });
  return html`<figure class="portrait">${trustedHtml(sources)}<figcaption>${credit}</figcaption></figure>\n`;
}

/** The size within the box. Pictures without an intrinsic size, such as some SVGs, get the box's width. */
function fittedSize({ width, height }: ShownPortrait): { width: number; height: number | null } {
  if (width === null || height === null) return { width: WIDTH_MAX, height: null };
  const scale = Math.min(1, WIDTH_MAX / width, HEIGHT_MAX / height);
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: pixels(width), height: pixels(height) };
}

/** A portrait as a picture, followed by its credit. */
export function portraitMarkdown({ path, alt, credit }: ShownPortrait, origin: string): string {
  return `![${escapeInline(alt)}](${origin}${path})\n\n${escapeMarkdown(credit)}`;
}
