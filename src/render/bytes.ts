/** Room in which short texts become bytes, so that none has to be made for each. */
const room = Buffer.allocUnsafeSlow(128 * 1024);
/** No character takes more bytes. */
const CHARACTERS_MAX = room.length / 3;

/** The UTF-8 of a text with a character for each byte, to be joined with what comes from the file. */
export function bytesOf(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  if (text.length > CHARACTERS_MAX) return Buffer.from(text).toString("latin1");
  return room.toString("latin1", 0, room.write(text));
}

const BEYOND_ASCII = /[^\0-\x7f]/;
