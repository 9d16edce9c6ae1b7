/**
 * The only Exif data that is kept. All other data is dropped, such as location, time and camera.
 */
export interface RetainedExif {
  /** Rotation and mirroring, 1 to 8 (Exif 2.3, 4.6.4). 1 means neither. */
  orientation: number;
  /** Empty if there is none. */
  copyright: string;
}

export const NO_EXIF: RetainedExif = { orientation: 1, copyright: "" };

const ORIENTATION_TAG = 0x0112;
const COPYRIGHT_TAG = 0x8298;
const SHORT_TYPE = 3;
const ASCII_TYPE = 2;
const ENTRY_BYTES = 12;
const ENTRIES_MAX = 500;
const COPYRIGHT_BYTES_MAX = 1000;
const EXIF_HEADER = Buffer.from("Exif\0\0", "latin1");

/**
 * Parses a TIFF structure (TIFF 6.0, section 2), with or without the Exif header that JPEG puts
 * before it.
 */
export function parseExif(data: Buffer): RetainedExif {
  const tiff = data.subarray(0, EXIF_HEADER.length).equals(EXIF_HEADER)
    ? data.subarray(EXIF_HEADER.length)
    : data;
  if (tiff.length < 8) return NO_EXIF;
  const isLittleEndian = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const start = u32(4);
  if (start + 2 > tiff.length) return NO_EXIF;
  const found = { ...NO_EXIF };
  for (let entry = 0; entry < Math.min(u16(start), ENTRIES_MAX); entry += 1) {
    const at = start + 2 + entry * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) break;
    const [tag, kind, count] = [u16(at), u16(at + 2), u32(at + 4)];
    if (tag === ORIENTATION_TAG && kind === SHORT_TYPE)
      found.orientation = orientationOf(u16(at + 8));
    if (tag !== COPYRIGHT_TAG || kind !== ASCII_TYPE) continue;
    const textAt = count <= 4 ? at + 8 : u32(at + 8);
    const textEnd = textAt + Math.min(count, COPYRIGHT_BYTES_MAX);
    found.copyright = copyrightOf(tiff.subarray(textAt, textEnd));
  }
  return found;
}

/** Returns a TIFF structure with only these values; null if all of them are defaults. */
export function encodeExif({ orientation, copyright }: RetainedExif): Buffer | null {
  const text = Buffer.from(`${copyright}\0`);
  const entries: Buffer[] = [];
  const hasOrientation = orientation !== 1;
  const dataAt = 8 + 2 + ENTRY_BYTES * (Number(hasOrientation) + 1) + 4;
  if (hasOrientation)
    entries.push(entryOf(ORIENTATION_TAG, SHORT_TYPE, { count: 1, value: orientation }));
  if (copyright === "" && !hasOrientation) return null;
  if (copyright === "") return tiffOf(entries);
  // A value of at most four bytes is stored in the entry itself.
  const value = text.length <= 4 ? Buffer.concat([text], 4).readUInt32LE() : dataAt;
  entries.push(entryOf(COPYRIGHT_TAG, ASCII_TYPE, { count: text.length, value }));
  return text.length <= 4 ? tiffOf(entries) : Buffer.concat([tiffOf(entries), text]);
}

/** Prepends the Exif header that JPEG requires. */
export function prependExifHeader(tiff: Buffer): Buffer {
  return Buffer.concat([EXIF_HEADER, tiff]);
}

export function hasExifHeader(segment: Buffer): boolean {
  return segment.subarray(0, EXIF_HEADER.length).equals(EXIF_HEADER);
}

function orientationOf(value: number): number {
  return value >= 1 && value <= 8 ? value : 1;
}

/**
 * Returns the copyrights of photographer and editor in one line. The field separates them with a
 * zero byte.
 */
function copyrightOf(bytes: Buffer): string {
  return bytes
    .toString()
    .split("\0")
    .map((part) => part.replaceAll(/[\p{Cc}\uFFFD\s]+/gu, " ").trim())
    .filter((part) => part !== "")
    .join(", ");
}

function entryOf(tag: number, kind: number, { count, value }: { count: number; value: number }) {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt16LE(tag, 0);
  entry.writeUInt16LE(kind, 2);
  entry.writeUInt32LE(count, 4);
  entry.writeUInt32LE(value, 8);
  return entry;
}

function tiffOf(entries: readonly Buffer[]): Buffer {
  const header = Buffer.from("49492a00080000000000", "hex");
  header.writeUInt16LE(entries.length, 8);
  return Buffer.concat([header, ...entries, Buffer.alloc(4)]);
}
