const EXTENSION_BLOCK = 0x21;
const IMAGE_BLOCK = 0x2c;
const COMMENT_LABEL = 0xfe;
const APPLICATION_LABEL = 0xff;
const TRAILER = 0x3b;
/**
 * Application extensions that say how often an animation repeats. All other extensions contain
 * metadata.
 */
const LOOP_EXTENSIONS: ReadonlySet<string> = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/** Keeps only the frames and the loop count (GIF89a). */
export function stripGifMetadata(bytes: Buffer): Buffer {
  let at = 13 + tableBytes(bytes[10] ?? 0);
  const kept: Buffer[] = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === TRAILER) {
      kept.push(bytes.subarray(at, at + 1));
      break;
    }
    if (kind !== EXTENSION_BLOCK && kind !== IMAGE_BLOCK) break;
    const label = bytes[at + 1];
    const blocks = kind === EXTENSION_BLOCK ? at + 2 : at + 11 + tableBytes(bytes[at + 9] ?? 0);
    const end = endOfBlocks(bytes, blocks);
    const isMetadata =
      kind === EXTENSION_BLOCK &&
      (label === COMMENT_LABEL ||
        (label === APPLICATION_LABEL &&
          !LOOP_EXTENSIONS.has(bytes.toString("latin1", at + 3, at + 14))));
    if (!isMetadata) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** Size of the colour table that these flags declare. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const size = bytes[at] ?? 0;
    at += 1 + size;
    if (size === 0 || at >= bytes.length) return Math.min(at, bytes.length);
  }
}
