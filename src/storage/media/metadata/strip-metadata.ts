import { stripAvifMetadata } from "./avif.ts";
import { stripGifMetadata } from "./gif.ts";
import { stripJpegMetadata } from "./jpeg.ts";
import { stripMp4Metadata } from "./mp4.ts";
import { stripPngMetadata } from "./png.ts";
import { stripWebpMetadata } from "./webp.ts";

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
  "image/jpeg": (bytes) => withCopyright(stripJpegMetadata(bytes)),
  "image/png": (bytes) => withCopyright(stripPngMetadata(bytes)),
  "image/webp": (bytes) => withCopyright(stripWebpMetadata(bytes)),
  "image/avif": (bytes) => withCopyright(stripAvifMetadata(bytes)),
  "image/gif": (bytes) => ({ bytes: stripGifMetadata(bytes), copyright: "" }),
  "video/mp4": (bytes) => ({ bytes: stripMp4Metadata(bytes), copyright: "" }),
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
