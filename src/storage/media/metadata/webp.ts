import { encodeExif, NO_EXIF, parseExif, type RetainedExif } from "./kept-exif.ts";

const HEAD_BYTES = 12;
/** Chunks that are necessary to render the picture (RFC 9649, section 2.7). */
const KEPT_CHUNKS: ReadonlySet<string> = new Set([
  ...["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"],
]);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

export function stripWebpMetadata(bytes: Buffer): { bytes: Buffer; exif: RetainedExif } {
  let exif = NO_EXIF;
  const kept: Buffer[] = [];
  for (let at = HEAD_BYTES; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    if (at + 8 + size > bytes.length) break;
    const name = bytes.toString("latin1", at, at + 4);
    const end = Math.min(at + 8 + size + (size % 2), bytes.length);
    if (name === "EXIF") exif = parseExif(bytes.subarray(at + 8, at + 8 + size));
    else if (KEPT_CHUNKS.has(name)) kept.push(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  const [first] = kept;
  const extended = first?.toString("latin1", 0, 4) === "VP8X" ? first : null;
  const tiff = extended === null ? null : encodeExif(exif);
  if (extended !== null) {
    const flags = (extended[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
    extended[8] = tiff === null ? flags : flags | EXIF_FLAG;
  }
  const body = Buffer.concat([...kept, ...(tiff === null ? [] : [chunk("EXIF", tiff)])]);
  const header = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  header.writeUInt32LE(body.length + 4, 4);
  return { bytes: Buffer.concat([header, body]), exif };
}

function chunk(name: string, data: Buffer): Buffer {
  const header = Buffer.from(`${name}\0\0\0\0`, "latin1");
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}
