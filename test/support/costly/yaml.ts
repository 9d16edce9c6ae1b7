import { type CostlyText, numbered, repeated, within } from "./pieces.ts";

/** YAML mappings that may take long to read. */
export const COSTLY_YAML: Readonly<Record<string, CostlyText>> = {
  "many keys": numbered((number) => `key${number}: v\n`),
  "numbers as keys": numbered((number) => `${number}: v\n`),
  "equal keys": repeated("a: b\n"),
  "a list as key": numbered((number) => `? [${number}]\n: v\n`),
  "keys in braces": (characters) => `a: {${numbered((number) => `k${number}: 1, `)(characters)}}\n`,
  "many anchors": numbered((number) => `k${number}: &a${number} v\n`),
  "many aliases": within("a: &a [x]\nb: [", "*a, ", "]\n"),
  "merged keys": (characters) =>
    `a: &a {x: 1}\n${numbered((number) => `k${number}: {<<: *a}\n`)(characters)}`,
  "deep lists": within("a: ", "["),
  "deep mappings": within("a: ", "{a: "),
  "dashes on a line": repeated("- "),
  "a folded text": within("a: >\n", " x\n\n"),
  "a quoted text": within('a: "', "x\\n\n ", '"\n'),
  directives: repeated("%a\n"),
  "many documents": repeated("a: b\n...\n"),
  "colons without keys": repeated("a: b: c\n"),
};
