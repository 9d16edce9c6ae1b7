/** Shared buffer for encoding short texts without allocating. */
const room = Buffer.allocUnsafeSlow(128 * 1024);
/** A UTF-16 unit takes at most three bytes. */
const CHARACTERS_MAX = room.length / 3;

/**
 * The UTF-8 bytes of a text as a Latin-1 string, with one character per byte, as it is written to the
 * socket.
 */
export function bytesOf(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  if (text.length > CHARACTERS_MAX) return Buffer.from(text).toString("latin1");
  return room.toString("latin1", 0, room.write(text));
}

const BEYOND_ASCII = /[^\0-\x7f]/;
