/** Shared buffer for encoding short texts without allocating. */
const sharedBuffer = Buffer.allocUnsafeSlow(128 * 1024);
/**
 * Texts longer than this do not always fit into the buffer, because a UTF-16 code unit takes up to three
 * bytes.
 */
const CHARACTERS_MAX = sharedBuffer.length / 3;

/**
 * The UTF-8 bytes of a text as a Latin-1 string, with one character per byte, as it is written to the
 * socket.
 */
export function toByteString(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  if (text.length > CHARACTERS_MAX) return Buffer.from(text).toString("latin1");
  return sharedBuffer.toString("latin1", 0, sharedBuffer.write(text));
}

const NON_ASCII = /[^\0-\x7f]/;
