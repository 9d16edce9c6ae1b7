const WRAPPED = /^=\?base64\?(.*)\?=$/s;
/** With its padding: a lenient reading would let two values mean the same name. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What a header value may consist of when it is not wrapped: visible ASCII, space and tab. */
const PLAIN = /^[\t\x20-\x7e]*$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The value an `Mcp-Name` header stands for: itself, or the text inside `=?base64?…?=`. Null when it
 * is neither plain ASCII nor well-formed Base64 of UTF-8.
 */
export function decodeHeaderValue(value: string): string | null {
  const wrapped = WRAPPED.exec(value)?.[1];
  if (wrapped === undefined) return PLAIN.test(value) ? value : null;
  if (!BASE64.test(wrapped)) return null;
  try {
    return UTF8.decode(Buffer.from(wrapped, "base64"));
  } catch {
    return null;
  }
}
