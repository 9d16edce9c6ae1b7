import { parseMediaFileName } from "../content/media/media-kinds.ts";
import { pictureSizePath, RESIZED_FORMATS, resizedWidths } from "../content/media/picture-sizes.ts";
import type { FindPicture } from "./pictures.ts";

const OWN_PICTURE = /<img src="\/media\/([^"]+)"([^>]*?) ?\/>/g;
const LAZY_LOADING = ' loading="lazy"';
const HIGH_PRIORITY = ' fetchpriority="high"';
/** Width of the widest column of text, in CSS pixels: `--line-length` in the look with the largest type. */
const COLUMN_PIXELS = 760;
/** Approximate width of a picture in a gallery, in CSS pixels. */
const GALLERY_PICTURE_PIXELS = 350;
const GALLERY_HTML = /<ul class="gallery">.*?<\/ul>/gs;

/**
 * Adds the smaller versions of the site's own pictures to sanitised HTML. If no other content precedes the
 * text, the first picture is loaded eagerly: it is usually the largest element on the screen.
 */
export function addPictureSources(
  html: string,
  { findPicture, isBelowOthers }: { findPicture: FindPicture; isBelowOthers: boolean },
): string {
  if (!html.includes('<img src="/media/')) return html;
  let isFirst = !isBelowOthers;
  const isInGallery = galleryFinder(html);
  return html.replaceAll(OWN_PICTURE, (tag, name: string, attributes: string, at: number) => {
    const file = parseMediaFileName(name);
    const picture = file === null ? null : findPicture(`/media/${name}`);
    if (file === null || picture === null) return tag;
    const loading = isFirst ? attributes.replace(LAZY_LOADING, HIGH_PRIORITY) : attributes;
    isFirst = false;
    const image = `<img src="/media/${name}"${loading} />`;
    const { id, kind } = file;
    const widths = resizedWidths({ type: kind.type, width: picture.width });
    if (widths.length === 0) return image;
    const sizes = isInGallery(at)
      ? `min(100vw, ${GALLERY_PICTURE_PIXELS}px)`
      : sizesOf(attributes, picture.width);
    const sources = RESIZED_FORMATS.map((format) => {
      const paths = widths.map((width) => `${pictureSizePath(id, { width, format })} ${width}w`);
      return `<source type="image/${format}" srcset="${paths.join(", ")}" sizes="${sizes}" />`;
    });
    return `<picture>${sources.join("")}${image}</picture>`;
  });
}

/**
 * Returns a function that checks whether a position in the HTML is inside a gallery. Call the returned
 * function with ascending positions.
 */
function galleryFinder(html: string): (at: number) => boolean {
  const galleries = html.matchAll(GALLERY_HTML);
  let gallery = galleries.next().value;
  return (at) => {
    while (gallery !== undefined && gallery.index + gallery[0].length < at) {
      gallery = galleries.next().value;
    }
    return gallery !== undefined && gallery.index < at;
  };
}

/**
 * The displayed width of a picture, for the `sizes` attribute: the width given in the text, or else
 * the picture's own width. The widths of the column and the screen are upper limits.
 */
function sizesOf(attributes: string, width: number | null): string {
  const stated = Number(/ width="(\d{1,5})"/.exec(attributes)?.[1] ?? width ?? COLUMN_PIXELS);
  return `min(100vw, ${Math.min(stated, COLUMN_PIXELS)}px)`;
}
