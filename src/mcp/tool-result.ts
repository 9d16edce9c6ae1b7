import { jsonBytes } from "./protocol/json.ts";

/** The result that is one text, given in UTF-8 with a character for each byte. */
export function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** The result that is an object, as such and as text, for which its JSON is made once. */
export function structuredResult(output: object): string {
  const json = jsonBytes(output);
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
