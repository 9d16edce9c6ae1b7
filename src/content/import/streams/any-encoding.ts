import type { Wording } from "../../../errors.ts";
import { decodeUtf8, NOT_UTF8_MESSAGE, tooLongMessage } from "../lines.ts";
import { detectUtf16 } from "../tables/text-encoding.ts";

/** Limit on a file's size; larger files are refused. */
export const TEXT_FILE_BYTES_MAX = 4 * 1024 * 1024;

export const TEXT_FILE_TOO_LARGE_MESSAGE = tooLongMessage(TEXT_FILE_BYTES_MAX / 1024 ** 2);

export interface DecodedText {
  text: string;
  /** A note on how the encoding was guessed; absent if the encoding is certain. */
  note?: Wording;
}

/** Matches an encoding that a page declares at its beginning, as in `<meta charset="iso-8859-15">`. */
const NAMED_ENCODING =
  /<meta[^>]{0,200}?\bcharset\s*=\s*["']?([\w:-]{2,40})|^<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w:-]{2,40})/i;
const NAME_BYTES_MAX = 4096;
/** Control characters that occur only in binary files. */
const BINARY = /(?![\t-\r\u0080-\u009f])\p{Cc}/u;

/**
 * Decodes a file as UTF-8, UTF-16, the encoding that the file declares, or else Windows-1252. Returns a fault
 * if the file cannot be decoded.
 */
export function decodeTextInAnyEncoding(bytes: Buffer): DecodedText | { fault: Wording } {
  if (bytes.length > TEXT_FILE_BYTES_MAX) return { fault: TEXT_FILE_TOO_LARGE_MESSAGE };
  const marked = detectUtf16(bytes);
  const read =
    marked === null ? decodedText(bytes) : { text: new TextDecoder(marked).decode(bytes) };
  return BINARY.test(read.text) && marked === null && "note" in read
    ? { fault: NOT_UTF8_MESSAGE }
    : read;
}

function decodedText(bytes: Buffer): DecodedText {
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== null) return { text: utf8 };
  const named = namedDecoder(bytes);
  if (named !== null) return { text: named.decode(bytes) };
  return { text: lineByLine(bytes), note: AS_WINDOWS_1252 };
}

function namedDecoder(bytes: Buffer): TextDecoder | null {
  const found = NAMED_ENCODING.exec(bytes.toString("latin1", 0, NAME_BYTES_MAX));
  const name = found?.[1] ?? found?.[2];
  if (name === undefined) return null;
  try {
    const decoder = new TextDecoder(name);
    // The bytes are neither UTF-8 nor UTF-16, so a declaration of either encoding is wrong.
    return /^utf-/.test(decoder.encoding) ? null : decoder;
  } catch {
    return null;
  }
}

const fallback = new TextDecoder("windows-1252");

/**
 * Decodes each line as UTF-8 or else Windows-1252, because files written by several programs may
 * mix encodings.
 */
function lineByLine(bytes: Buffer): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const next = end === -1 ? bytes.length : end + 1;
    const line = bytes.subarray(at, next);
    pieces.push(decodeUtf8(line) ?? fallback.decode(line));
    at = next;
  }
  return pieces.join("");
}

const AS_WINDOWS_1252: Wording = {
  en: "is not UTF-8 and was read as Windows-1252: look whether its letters are right",
  de: "ist nicht in UTF-8 gespeichert und wurde als Windows-1252 gelesen: Sehen Sie nach, ob die Buchstaben stimmen",
};
