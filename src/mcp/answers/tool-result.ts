/** A result with one text, which must be a binary string (one character per UTF-8 byte). */
export function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** A result with an object, given as bytes of JSON, as structured content and as text. */
export function structuredResult(json: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
