import { stripAvif } from "./avif.ts";
import { stripGif } from "./gif.ts";
import { stripJpeg } from "./jpeg.ts";
import { stripMp4 } from "./mp4.ts";
import { stripPng } from "./png.ts";
import { stripWebp } from "./webp.ts";

/**
 * A file without the metadata that cameras and programs add: location, time, camera, previews. Pixels,
 * orientation, colour profile and copyright are kept. Lossless and idempotent.
 */
export interface StrippedFile {
  bytes: Buffer;
  /** The copyright note in the file; empty if there is none. */
  copyright: string;
}

/** Functions that strip metadata, by media type. Files of other types are stored unchanged. */
const STRIPPERS: Readonly<Record<string, (bytes: Buffer) => StrippedFile>> = {
  "image/jpeg": (bytes) => withCopyright(stripJpeg(bytes)),
  "image/png": (bytes) => withCopyright(stripPng(bytes)),
  "image/webp": (bytes) => withCopyright(stripWebp(bytes)),
  "image/avif": (bytes) => withCopyright(stripAvif(bytes)),
  "image/gif": (bytes) => ({ bytes: stripGif(bytes), copyright: "" }),
  "video/mp4": (bytes) => ({ bytes: stripMp4(bytes), copyright: "" }),
};

/** Returns null for media types whose files are stored unchanged. */
export function metadataStripperForType(type: string): ((bytes: Buffer) => StrippedFile) | null {
  return STRIPPERS[type] ?? null;
}

function withCopyright({
  bytes,
  exif,
}: {
  bytes: Buffer;
  exif: { copyright: string };
}): StrippedFile {
  return { bytes, copyright: exif.copyright };
}
