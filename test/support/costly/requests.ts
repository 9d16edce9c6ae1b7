import { type CostlyText, halves, numbered, repeated, within } from "./pieces.ts";

/** Queries after `/search?` that may take long to read or to search for. */
export const COSTLY_QUERIES: Readonly<Record<string, CostlyText>> = {
  "many words": within("q=", "a+b+"),
  "quoted words": within("q=", "%22a%22+"),
  "unclosed quotes": within("q=", "%22"),
  "excluded words": within("q=", "-a+"),
  "a long word": within("q=", "a"),
  "words without spaces": within("q=", "%E6%B2%89"),
  signs: within("q=", "*"),
  "many parameters": numbered((number) => `p${number}=1&`),
  "one parameter again and again": repeated("q=a&"),
  "escapes that are none": within("q=", "%"),
};

/** Header values that may take long to read. */
export const COSTLY_HEADERS: readonly { name: string; text: CostlyText }[] = [
  { name: "Accept", text: repeated("text/html;q=0.5,") },
  { name: "Accept", text: numbered((number) => `a/b${number};c="d,e";q=0.${number},`) },
  { name: "Accept-Encoding", text: repeated("gzip;q=0,br,") },
  { name: "If-None-Match", text: numbered((number) => `"${number}", `) },
  { name: "If-None-Match", text: repeated('W/"') },
  { name: "Range", text: within("bytes=", "0-1,") },
  { name: "Cookie", text: numbered((number) => `a${number}=b; `) },
  { name: "Cookie", text: repeated(";=") },
  { name: "Authorization", text: within("Bearer ", "a") },
  { name: "Authorization", text: within("Bearer", " ", "a") },
];

/** JSON bodies of an item that may take long to read or to check. */
export const COSTLY_JSON: Readonly<Record<string, CostlyText>> = {
  "deep lists": halves("[", "]"),
  "unknown members": (size) => `{${numbered((at) => `"k${at}":1,`)(size)}"type":"page"}`,
  "one member again and again": (size) => `{${repeated('"title":"a",')(size)}"type":"page"}`,
  "unknown fields": (size) =>
    `{"type":"page","title":"a","fields":{${numbered((at) => `"k${at}":1,`)(size)}"z":1}}`,
  "many links": (size) =>
    `{"type":"topic","title":"a","relations":{"broader":[${repeated('"/b",')(size)}"/b"]}}`,
  "wrong links": (size) =>
    `{"type":"topic","title":"a","relations":{"broader":[${repeated("1,")(size)}1]}}`,
  "many names": (size) =>
    `{"type":"topic","title":"a","fields":{"aliases":[${repeated('"b",')(size)}"b"]}}`,
  "a long title": within('{"type":"page","title":"', "a ", '"}'),
  "a long path": within('{"type":"page","title":"a","path":"', "/a", '"}'),
  escapes: within('{"type":"page","title":"a","summary":"', "\\u0041", '"}'),
  "a body of spaces": within('{"type":"page","title":"a","body":"', " ", 'b"}'),
};
