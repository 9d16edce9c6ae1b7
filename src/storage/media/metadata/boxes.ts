/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2). */
export interface Box {
  type: string;
  /** Offset of the content of the box. */
  start: number;
  end: number;
  /** Offset of the box itself. */
  at: number;
}

const BOXES_MAX = 10_000;

/** Yields the boxes in a range of bytes. Stops at a truncated box. */
export function* readBoxes(bytes: Buffer, start: number, end: number): Generator<Box> {
  let at = start;
  for (let count = 0; at + 8 <= end && count < BOXES_MAX; count += 1) {
    const declaredSize = bytes.readUInt32BE(at);
    const isLong = declaredSize === 1;
    if (isLong && at + 16 > end) return;
    const size = isLong
      ? Number(bytes.readBigUInt64BE(at + 8))
      : declaredSize === 0
        ? end - at
        : declaredSize;
    const headerBytes = isLong ? 16 : 8;
    if (size < headerBytes || at + size > end) return;
    const type = bytes.toString("latin1", at + 4, at + 8);
    yield { type, start: at + headerBytes, end: at + size, at };
    at += size;
  }
}
