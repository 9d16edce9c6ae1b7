import { crc32, deflateSync } from "node:zlib";

/** A valid PNG of one colour. Different colours make different files. */
export function png(width: number, height: number, colour = 0): Buffer {
  return pngWith(width, height, { colour, more: Buffer.alloc(0) });
}

/** A PNG with these bytes after its pixels, for files of any size. */
export function largePng(width: number, height: number, more: Uint8Array): Buffer {
  return pngWith(width, height, { colour: 0, more });
}

function pngWith(
  width: number,
  height: number,
  { colour, more }: { colour: number; more: Uint8Array },
): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, colour)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", Buffer.concat([deflateSync(rows), more])),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A JPEG that is valid for everything but a decoder. `orientation`: as in Exif. */
export function jpeg(width: number, height: number, orientation?: number): Buffer {
  const frame = Buffer.from("ffc0001108000000000301220002110103110100", "hex").subarray(0, 19);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const start = Buffer.from("ffd8", "hex");
  return Buffer.concat([start, exif(orientation), frame, Buffer.from("ffd9", "hex")]);
}

export function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from(
    "47494638396101000100800000000000ffffff2c00000000010001000002024401003b",
    "hex",
  );
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(22, 4);
  bytes.write("WEBPVP8X", 8);
  bytes.writeUInt32LE(10, 16);
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

export function avif(width: number, height: number): Buffer {
  const size = Buffer.alloc(12);
  size.writeUInt32BE(width, 4);
  size.writeUInt32BE(height, 8);
  return Buffer.concat([
    box("ftyp", Buffer.from("avif\0\0\0\0avifmif1", "latin1")),
    box("meta", Buffer.alloc(4), box("iprp", box("ipco", box("ispe", size)))),
  ]);
}

export const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n");
export const MP3 = Buffer.concat([Buffer.from("fffb9000", "hex"), Buffer.alloc(413)]);
export const OGG = Buffer.concat([
  Buffer.from("OggS\0\x02", "latin1"),
  Buffer.alloc(22),
  Buffer.from("\x01vorbis\0\0\0\0", "latin1"),
  Buffer.alloc(60),
]);
export const MP4 = Buffer.concat([
  box("ftyp", Buffer.from("isom\0\0\x02\0isommp41", "latin1")),
  box("mdat", Buffer.alloc(64)),
]);

/** A ZIP archive with uncompressed entries, by name. */
export function zip(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const data = Buffer.from(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(10, 0);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), facts, Buffer.from(name), data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), facts, place, Buffer.from(name)]),
    );
    files.push(file);
    at += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, listed, Buffer.from("PK\x05\x06"), end]);
}

const MAIN_PARTS: Readonly<Record<string, string>> = {
  "wordprocessingml.document": "word/document.xml",
  "spreadsheetml.sheet": "xl/workbook.xml",
  "presentationml.presentation": "ppt/presentation.xml",
};

/** A document of Word, Excel or PowerPoint, according to the type of its main part. */
export function officeFile(kind: string, { type = OPEN_XML + kind, before = {} } = {}): Buffer {
  const part = MAIN_PARTS[kind] ?? "";
  const override = `<Override PartName="/${part}" ContentType="${type}.main+xml"/>`;
  return zip({
    ...before,
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${override}</Types>`,
    [part]: "<document/>",
  });
}

const OPEN_XML = "application/vnd.openxmlformats-officedocument.";

/** A LibreOffice document: `text`, `spreadsheet`, `presentation`. */
export function openDocument(kind: string): Buffer {
  const mimetype = `application/vnd.oasis.opendocument.${kind}`;
  return zip({ mimetype, "content.xml": "<office:document-content/>" });
}

function exif(orientation: number | undefined): Buffer {
  if (orientation === undefined) {
    return Buffer.from("ffe000104a46494600010100000100010000", "hex");
  }
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  tiff.writeUInt16BE(orientation, 18);
  const head = Buffer.from("ffe10000457869660000", "hex");
  head.writeUInt16BE(8 + tiff.length, 2);
  return Buffer.concat([head, tiff]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}
