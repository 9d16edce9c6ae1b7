import { type Box, readBoxes } from "./boxes.ts";
import { encodeExif, NO_EXIF, parseExif, type RetainedExif } from "./kept-exif.ts";

interface Extent {
  start: number;
  end: number;
}

/** The extents of each item (ISO/IEC 14496-12, 8.11.3). */
type ItemExtents = ReadonlyMap<number, readonly Extent[]>;

const ITEMS_MAX = 1000;

/**
 * Overwrites Exif and XMP data in place, so that every offset stays valid. Keeps no orientation in
 * the Exif data, because AVIF stores the orientation elsewhere.
 */
export function stripAvifMetadata(source: Buffer): { bytes: Buffer; exif: RetainedExif } {
  const bytes = Buffer.from(source);
  let exif = NO_EXIF;
  for (const { type, extents } of metadataItems(bytes)) {
    const [first] = extents;
    if (type === "Exif" && first !== undefined) {
      exif = { ...exifIn(bytes.subarray(first.start, first.end)), orientation: 1 };
    }
    for (const { start, end } of extents) bytes.fill(0, start, end);
    if (type === "Exif" && first !== undefined) writeWithin(bytes, first, encodeExif(exif));
  }
  return { bytes, exif };
}

function writeWithin(bytes: Buffer, { start, end }: Extent, tiff: Buffer | null): void {
  if (tiff !== null && end - start >= 4 + tiff.length) tiff.copy(bytes, start + 4);
}

/** Finds the metadata items of the picture: `Exif`, and `mime` for XMP. */
function metadataItems(bytes: Buffer): { type: string; extents: readonly Extent[] }[] {
  const meta = [...readBoxes(bytes, 0, bytes.length)].find(({ type }) => type === "meta");
  if (meta === undefined) return [];
  const boxes = [...readBoxes(bytes, meta.start + 4, meta.end)];
  const find = (type: string) => boxes.find((box) => box.type === type);
  const [infos, locations] = [find("iinf"), find("iloc")];
  if (infos === undefined || locations === undefined) return [];
  const extentsById = itemExtents(bytes, locations, find("idat")?.start ?? 0);
  return [...itemTypes(bytes, infos)]
    .filter(([, type]) => type === "Exif" || type === "mime")
    .map(([id, type]) => ({
      type,
      extents: (extentsById.get(id) ?? []).filter(({ end }) => end <= bytes.length),
    }));
}

/** Reads the data of an Exif item, which starts with the offset of its TIFF structure. */
function exifIn(data: Buffer): RetainedExif {
  const from = data.length < 4 ? 0 : 4 + data.readUInt32BE(0);
  return parseExif(data.subarray(from));
}

function* itemTypes(bytes: Buffer, { start, end }: Box): Generator<[number, string]> {
  const first = start + (bytes[start] === 0 ? 6 : 8);
  for (const info of readBoxes(bytes, first, end)) {
    const version = bytes[info.start] ?? 0;
    const idBytes = version === 2 ? 2 : 4;
    const at = info.start + 4;
    if (version < 2 || at + idBytes + 6 > info.end) continue;
    yield [
      bytes.readUIntBE(at, idBytes),
      bytes.toString("latin1", at + idBytes + 2, at + idBytes + 6),
    ];
  }
}

function itemExtents(bytes: Buffer, { start, end }: Box, idat: number): ItemExtents {
  const extentsById = new Map<number, Extent[]>();
  const version = bytes[start] ?? 0;
  let at = start + 4;
  const read = (size: number) => {
    if (at + size > end) throw new RangeError("The box ends early");
    const value =
      size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  try {
    const sizes = read(2);
    const [offsetBytes, lengthBytes, baseBytes] = [
      sizes >> 12,
      (sizes >> 8) & 15,
      (sizes >> 4) & 15,
    ];
    const indexBytes = version === 0 ? 0 : sizes & 15;
    const count = Math.min(read(version < 2 ? 2 : 4), ITEMS_MAX);
    for (let item = 0; item < count; item += 1) {
      const id = read(version < 2 ? 2 : 4);
      const method = version === 0 ? 0 : read(2) & 15;
      read(2);
      const base = read(baseBytes) + (method === 1 ? idat : 0);
      const extents = Array.from({ length: Math.min(read(2), ITEMS_MAX) }, () => {
        read(indexBytes);
        const from = base + read(offsetBytes);
        return { start: from, end: from + read(lengthBytes) };
      });
      extentsById.set(id, extents);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return extentsById;
}
