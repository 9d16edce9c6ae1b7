import { readBoxes } from "./boxes.ts";

const CONTAINER_BOXES: ReadonlySet<string> = new Set(["moov", "trak", "mdia"]);
/** Boxes in which cameras write location, manufacturer and model. */
const METADATA_BOXES: ReadonlySet<string> = new Set(["udta", "meta", "uuid"]);
/** Boxes whose creation and modification times follow the version and flags. */
const DATED_BOXES: ReadonlySet<string> = new Set(["mvhd", "tkhd", "mdhd"]);

/**
 * Overwrites location, times and camera without changing the length, so that every offset stays
 * valid.
 */
export function stripMp4Metadata(source: Buffer): Buffer {
  const bytes = Buffer.from(source);
  stripBoxes(bytes, 0, bytes.length);
  return bytes;
}

function stripBoxes(bytes: Buffer, from: number, to: number): void {
  for (const { type, at, start, end } of readBoxes(bytes, from, to)) {
    if (CONTAINER_BOXES.has(type)) stripBoxes(bytes, start, end);
    if (METADATA_BOXES.has(type)) {
      bytes.write("free", at + 4, "latin1");
      bytes.fill(0, start, end);
    }
    if (DATED_BOXES.has(type)) {
      const timeBytes = bytes[start] === 1 ? 16 : 8;
      bytes.fill(0, start + 4, Math.min(start + 4 + timeBytes, end));
    }
  }
}
