import { countLineBreaks } from "../../lines.ts";

/** A template tag that the import cannot interpret. */
export interface UnknownTag {
  tag: string;
  /** Line in the text, from 1. */
  line: number;
}

export interface UntaggedText {
  body: string;
  unknown: readonly UnknownTag[];
}

/** The replacement of a tag; null: the tag is unknown. */
export type TagReplacement = string | null;

export const TAG_ARGUMENTS_CHARACTERS_MAX = 1000;

/** Replaces the matches of a pattern, and collects the matches without a replacement. */
export function replaceTags(
  text: string,
  tags: RegExp,
  replacementOf: (whole: string, groups: readonly (string | undefined)[]) => TagReplacement,
): UntaggedText {
  const unknown: UnknownTag[] = [];
  let body = "";
  let copiedTo = 0;
  let line = 1;
  for (const match of text.matchAll(tags)) {
    const [whole, ...groups] = match;
    const before = text.slice(copiedTo, match.index);
    line += countLineBreaks(before);
    const replacement = replacementOf(whole, groups);
    if (replacement === null) unknown.push({ tag: whole, line });
    body += before + (replacement ?? "");
    copiedTo = match.index + whole.length;
    line += countLineBreaks(whole);
  }
  return { body: body + text.slice(copiedTo), unknown };
}

/** Returns the value of an own property. Ignores inherited properties such as `constructor`. */
export function getOwnProperty<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
