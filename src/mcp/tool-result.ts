import { jsonBytes } from "./protocol/json.ts";

/** A result with one text, which must be a binary string (one character per UTF-8 byte). */
export function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** A result with an object, as structured content and as text; serialises it once. */
export function structuredResult(output: object): string {
  const json = jsonBytes(output);
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
