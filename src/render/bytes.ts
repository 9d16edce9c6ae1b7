/** The UTF-8 of a text with a character for each byte, to be joined with what comes from the file. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The text of such bytes. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
