const BASE64_VALUE = /^=\?base64\?(.*)\?=$/s;
/**
 * Matches Base64 with its padding. If padding were optional, two values could decode to the same
 * name.
 */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Matches an unencoded header value: visible ASCII, spaces and tabs. */
const PRINTABLE_ASCII = /^[\t\x20-\x7e]*$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes an `Mcp-Name` header: plain text, or Base64 as `=?base64?…?=`. Returns null for a value
 * that is neither plain ASCII nor valid Base64 of UTF-8.
 */
export function decodeHeaderValue(value: string): string | null {
  const encoded = BASE64_VALUE.exec(value)?.[1];
  if (encoded === undefined) return PRINTABLE_ASCII.test(value) ? value : null;
  if (!BASE64.test(encoded)) return null;
  try {
    return UTF8.decode(Buffer.from(encoded, "base64"));
  } catch {
    return null;
  }
}
