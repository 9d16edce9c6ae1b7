import { crc32 } from "node:zlib";
import { encodeExif, NO_EXIF, parseExif, type RetainedExif } from "./kept-exif.ts";

const SIGNATURE_BYTES = 8;
/** Chunks that change how the picture or its frames look (PNG, third edition, 11). */
const KEPT_CHUNKS: ReadonlySet<string> = new Set([
  ...["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD"],
  ...["pHYs", "cICP", "mDCV", "cLLI", "acTL", "fcTL", "fdAT"],
]);

export function stripPngMetadata(bytes: Buffer): { bytes: Buffer; exif: RetainedExif } {
  let exif = NO_EXIF;
  const kept: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const name = bytes.toString("latin1", at + 4, at + 8);
    const data = bytes.subarray(at + 8, end - 4);
    if (name === "eXIf") exif = parseExif(data);
    else if (KEPT_CHUNKS.has(name) || isCopyright(name, data)) kept.push(bytes.subarray(at, end));
    at = end;
    if (name === "IEND") break;
  }
  const [header = Buffer.alloc(0), ...rest] = kept;
  const tiff = encodeExif(exif);
  const exifChunk = tiff === null ? [] : [chunk("eXIf", tiff)];
  const start = bytes.subarray(0, SIGNATURE_BYTES);
  return { bytes: Buffer.concat([start, header, ...exifChunk, ...rest]), exif };
}

function isCopyright(name: string, data: Buffer): boolean {
  return name === "tEXt" && data.toString("latin1", 0, 10) === "Copyright\0";
}

function chunk(name: string, data: Buffer): Buffer {
  const nameAndData = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const lengthAndChecksum = Buffer.alloc(8);
  lengthAndChecksum.writeUInt32BE(data.length, 0);
  lengthAndChecksum.writeUInt32BE(crc32(nameAndData), 4);
  return Buffer.concat([
    lengthAndChecksum.subarray(0, 4),
    nameAndData,
    lengthAndChecksum.subarray(4),
  ]);
}
