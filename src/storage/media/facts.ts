import { open, readFile } from "node:fs/promises";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import { disableTypes, imageSize, types } from "image-size";
import {
  MEDIA_KINDS,
  type MediaKind,
  unsupportedFileError,
} from "../../content/media/media-kinds.ts";
import { AppError, type Wording } from "../../errors.ts";
import { metadataStripperForType } from "./metadata/strip-metadata.ts";
import { sanitizeSvg } from "./svg-cleaning.ts";
import { decodeSvgText } from "./svg-text.ts";

/** Metadata read from the bytes of a file. */
export interface MediaInspection {
  kind: MediaKind;
  width: number | null;
  height: number | null;
  /** Cleaned content to store instead of the original; null if the original is stored. */
  cleaned: string | Uint8Array | null;
  /** The copyright note in the file; empty if there is none. */
  credit: string;
  notices: readonly Wording[];
}

const METADATA_LEFT_OUT: Wording = {
  en: "Left out of the file: what is not shown, such as place, time and camera",
  de: "Aus der Datei weggelassen: was nicht zu sehen ist, etwa Ort, Zeit und Kamera",
};

/**
 * Bytes read to identify and measure a file: enough for the profiles and previews that cameras
 * write before the image data.
 */
const HEAD_BYTES_MAX = 1024 * 1024;
const SVG_BYTES_MAX = 2 * 1024 * 1024;
/**
 * Images with more pixels than this are refused, because an image of this size already takes 400 MB of
 * memory to display.
 */
const PIXELS_MAX = 100_000_000;

const MEASURED_TYPES: ReadonlySet<string> = new Set(["png", "jpg", "gif", "webp", "heif"]);
/** Orientations of at least this value include a rotation by a quarter turn (Exif 2.3, 4.6.4). */
const QUARTER_TURN_MIN = 5;

const UNKNOWN_TYPE: Wording = {
  en: "This is a text or a file of unknown kind",
  de: "Das ist ein Text oder eine Datei unbekannter Art",
};

/** Maps media types that the parser reports for variants to the types that this program uses. */
const TYPE_BY_VARIANT: Readonly<Record<string, string>> = {
  "image/apng": "image/png",
  "audio/x-m4a": "audio/mp4",
  "video/x-m4v": "video/mp4",
};

disableTypes(types.filter((type) => !MEASURED_TYPES.has(type)));

/**
 * Reads the kind and dimensions of a file.
 * @throws {AppError} `unsupported` when its kind is not in `MEDIA_KINDS`; `invalid` when it is damaged;
 * `too_large` for an image too large for browsers.
 */
export async function inspectMediaFile(path: string, bytes: number): Promise<MediaInspection> {
  const head = await readHead(path, Math.min(bytes, HEAD_BYTES_MAX));
  const found = await typeOf(path, { head, bytes });
  if (found === null || found.type === "application/xml") {
    return await svgFacts(path, { head, bytes });
  }
  const type = TYPE_BY_VARIANT[found.type] ?? found.type;
  const kind = MEDIA_KINDS.find((known) => known.type === type);
  if (kind === undefined) {
    const ending = `.${found.extension}`;
    throw unsupportedFileError({
      en: `This is a file of the kind ${ending}`,
      de: `Das ist eine Datei der Art ${ending}`,
    });
  }
  const size = kind.use === "picture" ? sizeOf(head, kind) : { width: null, height: null };
  return { kind, ...size, ...(await oneAtATime(() => strippedContent(path, kind))) };
}

/** Runs one task at a time, because a task needs memory for a whole file. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = lastStripping.then(work);
  lastStripping = result.catch(() => {});
  return await result;
}

let lastStripping: Promise<unknown> = Promise.resolve();

async function strippedContent(
  path: string,
  { type }: MediaKind,
): Promise<Pick<MediaInspection, "cleaned" | "credit" | "notices">> {
  const strip = metadataStripperForType(type);
  if (strip === null) return { cleaned: null, credit: "", notices: [] };
  const bytes = await readFile(path);
  const result = strip(bytes);
  const { copyright: credit } = result;
  if (bytes.equals(result.bytes)) return { cleaned: null, credit, notices: [] };
  const notices = [METADATA_LEFT_OUT];
  return { cleaned: result.bytes, credit, notices };
}

async function readHead(path: string, bytes: number): Promise<Uint8Array> {
  await using file = await open(path, "r");
  const head = new Uint8Array(bytes);
  await file.read(head, 0, bytes, 0);
  return head;
}

/**
 * Determines the type of a file. Looks beyond the head of an archive, because the entries that identify an
 * Office document may be anywhere.
 */
async function typeOf(
  path: string,
  { head, bytes }: { head: Uint8Array; bytes: number },
): Promise<{ type: string; extension: string } | null> {
  const headType = await fileTypeFromBuffer(head).catch(() => undefined);
  const isCutOff = headType?.mime === "application/zip" && bytes > head.length;
  const found = isCutOff ? await fileTypeFromFile(path).catch(() => undefined) : headType;
  if (found === undefined) return null;
  const [type = found.mime] = found.mime.split(";", 1);
  return { type, extension: found.ext };
}

async function svgFacts(
  path: string,
  { head, bytes }: { head: Uint8Array; bytes: number },
): Promise<MediaInspection> {
  const kind = MEDIA_KINDS.find(({ extension }) => extension === "svg");
  const start = Buffer.from(head.subarray(0, SVG_BYTES_MAX)).toString();
  if (kind === undefined || !/<svg[\s>]/.test(start)) {
    throw unsupportedFileError(UNKNOWN_TYPE);
  }
  if (bytes > SVG_BYTES_MAX) {
    const limit = SVG_BYTES_MAX / 1024 / 1024;
    throw new AppError("too_large", {
      en: `An SVG may have ${limit} MiB; save it as PNG or WebP instead`,
      de: `Ein SVG darf ${limit} MB groß sein: Speichern Sie es stattdessen als PNG oder WebP`,
    });
  }
  const cleaned = sanitizeSvg(decodeSvgText(await readFile(path)));
  if (cleaned === null) throw unsupportedFileError(UNKNOWN_TYPE);
  const { svg, width, height, removedNames } = cleaned;
  const names = removedNames.join(", ");
  const notice = {
    en: `Left out of the SVG: ${names}`,
    de: `Aus dem SVG weggelassen: ${names}`,
  };
  const notices = removedNames.length === 0 ? [] : [notice];
  return { kind, width, height, cleaned: svg, credit: "", notices };
}

function sizeOf(head: Uint8Array, kind: MediaKind): { width: number; height: number } {
  const size = measured(head);
  if (size === null || size.width < 1 || size.height < 1) {
    throw new AppError("invalid", {
      en: `The file begins as ${kind.type} but its width and height cannot be read: it is damaged or cut off`,
      de: `Die Datei beginnt wie ${kind.type}, aber Breite und Höhe sind nicht zu lesen: Sie ist beschädigt oder abgeschnitten`,
    });
  }
  const { width, height } = size;
  if (width * height > PIXELS_MAX) {
    throw new AppError("too_large", {
      en: `The picture has ${width} × ${height} pixels; at most ${PIXELS_MAX / 1_000_000} million are published. Scale it down`,
      de: `Das Bild hat ${width} × ${height} Pixel; veröffentlicht werden höchstens ${PIXELS_MAX / 1_000_000} Millionen. Verkleinern Sie es`,
    });
  }
  return { width, height };
}

function measured(head: Uint8Array): { width: number; height: number } | null {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!Number.isInteger(width) || !Number.isInteger(height)) return null;
    return orientation >= QUARTER_TURN_MIN ? { width: height, height: width } : { width, height };
  } catch {
    return null;
  }
}
