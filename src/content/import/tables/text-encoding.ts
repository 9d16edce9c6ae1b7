const UTF_8 = "utf-8";
const FALLBACK_ENCODING = "windows-1252";
const SAMPLE_BYTES = 4096;
/**
 * A text is read as UTF-16 if more than this share of its even or odd bytes is zero. In UTF-16,
 * Latin letters have a zero in every second byte.
 */
const ZEROS_SHARE_MIN = 0.3;

/**
 * Detects the encoding of a text from its byte order mark or its bytes. A text that is not UTF-8 or
 * UTF-16 is taken for Windows-1252.
 */
export async function detectTextEncoding(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder(UTF_8, { fatal: true });
  let isFirst = true;
  for await (const piece of bytes) {
    const marked = isFirst ? detectUtf16(piece) : null;
    if (marked !== null) return marked;
    isFirst = false;
    if (!decodes(decoder, piece)) return FALLBACK_ENCODING;
  }
  return decodes(decoder) ? UTF_8 : FALLBACK_ENCODING;
}

/**
 * Detects the encoding of a text from its byte order mark or its zero bytes; null: neither shows
 * the encoding.
 */
export function detectUtf16(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = (sample.length / 2) * ZEROS_SHARE_MIN;
  if (odd > enough && odd > even) return "utf-16le";
  return even > enough ? "utf-16be" : null;
}

function decodes(decoder: TextDecoder, piece?: Uint8Array): boolean {
  try {
    if (piece === undefined) decoder.decode();
    else decoder.decode(piece, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The text of a file with `\n` as its only line break, without byte order mark. */
export async function* decodeTextStream(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  // A `\r` from the end of a chunk, which may be the first half of `\r\n`.
  let held = "";
  for await (const piece of bytes) {
    const text = held + decoder.decode(piece, { stream: true });
    held = text.endsWith("\r") ? "\r" : "";
    yield withPlainBreaks(text.slice(0, text.length - held.length));
  }
  yield withPlainBreaks(held + decoder.decode());
}

function withPlainBreaks(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}
