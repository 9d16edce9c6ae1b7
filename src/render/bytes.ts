/** The UTF-8 of a text with a character for each byte, to be joined with what comes from the file. */
export function bytesOf(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text).toString("latin1") : text;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The text of such bytes. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
