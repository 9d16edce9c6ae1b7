import {
  encodeExif,
  hasExifHeader,
  NO_EXIF,
  parseExif,
  prependExifHeader,
  type RetainedExif,
} from "./kept-exif.ts";

const START_MARKER = 0xd8;
const END_MARKER = 0xd9;
const SCAN_MARKER = 0xda;
const JFIF_MARKER = 0xe0;
const EXIF_MARKER = 0xe1;
const PROFILE_MARKER = 0xe2;
const ADOBE_MARKER = 0xee;
const LAST_APPLICATION = 0xef;
const COMMENT_MARKER = 0xfe;
/** Bytes of a JFIF segment without its thumbnail. */
const JFIF_BYTES = 14;

interface Segment {
  marker: number;
  data: Buffer;
  /** The whole segment as in the file. */
  bytes: Buffer;
}

/**
 * Keeps what is needed to show the picture (ITU-T T.81, annex B), its colour profile, its
 * orientation and its copyright. Drops all bytes after the picture, such as a second picture or a
 * video.
 */
export function stripJpegMetadata(bytes: Buffer): { bytes: Buffer; exif: RetainedExif } {
  let exif = NO_EXIF;
  let jfif: Buffer | null = null;
  const kept: Buffer[] = [];
  for (const read of segmentsIn(bytes)) {
    const { marker, data } = read;
    if (marker === EXIF_MARKER && hasExifHeader(data)) exif = parseExif(data);
    else if (marker === JFIF_MARKER && startsWith(data, "JFIF\0")) jfif ??= withoutThumbnail(data);
    else if (affectsPicture(read)) kept.push(read.bytes);
  }
  const tiff = encodeExif(exif);
  const start = [
    Buffer.from([0xff, START_MARKER]),
    ...(jfif === null ? [] : [segment(JFIF_MARKER, jfif)]),
    ...(tiff === null ? [] : [segment(EXIF_MARKER, prependExifHeader(tiff))]),
  ];
  return { bytes: Buffer.concat([...start, ...kept]), exif };
}

/** Yields segments until the picture ends or the file is truncated. A scan segment includes its coded data. */
function* segmentsIn(bytes: Buffer): Generator<Segment> {
  for (let at = 2; at < bytes.length; ) {
    const read = readSegment(bytes, at);
    if (read === null) return;
    const end = read.marker === SCAN_MARKER ? endOfScan(bytes, read.end) : read.end;
    yield { ...read, bytes: bytes.subarray(read.start, end) };
    if (read.marker === END_MARKER) return;
    at = end;
  }
}

/** Reads the next segment from `from` on. Returns null if the file is truncated in this segment. */
function readSegment(
  bytes: Buffer,
  from: number,
): (Omit<Segment, "bytes"> & { start: number; end: number }) | null {
  const start = nextMarker(bytes, from);
  const marker = start < 0 ? undefined : bytes[start + 1];
  if (marker === undefined) return null;
  if (marker === END_MARKER || marker === 0x01 || (marker >= 0xd0 && marker < START_MARKER)) {
    return { marker, data: Buffer.alloc(0), start, end: start + 2 };
  }
  if (start + 4 > bytes.length) return null;
  const end = start + 2 + bytes.readUInt16BE(start + 2);
  return end > bytes.length || end < start + 4
    ? null
    : { marker, data: bytes.subarray(start + 4, end), start, end };
}

/** The position of the next marker; -1 if there is none. Skips stray bytes before it, as decoders do. */
function nextMarker(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0) {
    const next = bytes[at + 1];
    if (next !== 0 && next !== 0xff) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return at;
}

function affectsPicture({ marker, data }: Segment): boolean {
  if (marker === PROFILE_MARKER) return startsWith(data, "ICC_PROFILE\0");
  if (marker === ADOBE_MARKER) return startsWith(data, "Adobe");
  return marker !== COMMENT_MARKER && (marker < JFIF_MARKER || marker > LAST_APPLICATION);
}

/**
 * Finds the marker that ends a scan. Within a scan, 0xff is followed by a zero or begins a restart
 * marker.
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) return bytes.length;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
}

function withoutThumbnail(data: Buffer): Buffer {
  return Buffer.concat([data.subarray(0, JFIF_BYTES - 2), Buffer.alloc(2)]);
}

function segment(marker: number, data: Buffer): Buffer {
  const start = Buffer.from([0xff, marker, 0, 0]);
  start.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([start, data]);
}

function startsWith(data: Buffer, text: string): boolean {
  return data.toString("latin1", 0, text.length) === text;
}
