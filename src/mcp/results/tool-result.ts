/** A result with one text, which must be a binary string (one character per UTF-8 byte). */
export function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** A result with an object, both as structured content and as text; `json` is a binary string. */
export function structuredResult(json: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
