import type { MediaFile } from "./media.ts";
import { mediaFilePath } from "./media-kinds.ts";

/** The formats of smaller versions, best first. */
export const RESIZED_FORMATS = ["avif", "webp"] as const;
export type ResizedFormat = (typeof RESIZED_FORMATS)[number];

/** A smaller version of a picture. */
export interface PictureSize {
  /** In pixels. */
  width: number;
  format: ResizedFormat;
}

/** Widths in pixels, from a thumbnail to the full text width on a high-density screen. */
const PICTURE_WIDTHS: readonly number[] = [320, 640, 960, 1440];
/** Excludes GIF, which is usually an animation, and SVG, which scales to any size. */
const SIZED_TYPES: ReadonlySet<string> = new Set([
  ...["image/jpeg", "image/png", "image/webp", "image/avif"],
]);

const SIZE_FILE = /^([0-9a-f]{32})-([1-9]\d{0,4})\.(avif|webp)$/;

type Original = Pick<MediaFile, "type" | "width">;

/** Whether pictures of this media type get smaller versions. */
export function hasResizedVersions({ type }: Pick<MediaFile, "type">): boolean {
  return SIZED_TYPES.has(type);
}

/** Widths of the smaller versions of a picture, in ascending order; empty if it needs none. */
export function resizedWidths({ type, width }: Original): number[] {
  if (width === null || !SIZED_TYPES.has(type)) return [];
  const smaller = PICTURE_WIDTHS.filter((each) => each < width);
  const isLarger = width > (PICTURE_WIDTHS.at(-1) ?? 0);
  return smaller.length === 0 || isLarger ? smaller : [...smaller, width];
}

/**
 * The file name of a smaller version of a picture, such as `<id>-640.avif`. The URL ends with the
 * same name.
 */
function sizeFile(id: string, { width, format }: PictureSize): string {
  return `${id}-${width}.${format}`;
}

/** The root-relative path of a smaller version of a picture. */
export function pictureSizePath(id: string, size: PictureSize): string {
  return `/media/${sizeFile(id, size)}`;
}

/** The inverse of {@link sizeFile}; null for any other name. */
export function parseSizeFileName(name: string): { id: string; size: PictureSize } | null {
  const [, id, width, formatName] = SIZE_FILE.exec(name) ?? [];
  const format = RESIZED_FORMATS.find((known) => known === formatName);
  return id === undefined || format === undefined
    ? null
    : { id, size: { width: Number(width), format } };
}

/**
 * The root-relative path of a picture's smallest version, or of the picture itself if it has none.
 */
export function thumbnailPath(medium: Pick<MediaFile, "id" | "type" | "width">): string {
  const [width] = resizedWidths(medium);
  return width === undefined
    ? mediaFilePath(medium)
    : pictureSizePath(medium.id, { width, format: "webp" });
}
