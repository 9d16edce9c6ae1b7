/** A template tag that the import cannot interpret. */
export interface UnknownTag {
  tag: string;
  /** Line in the text, from 1. */
  line: number;
}

export interface Untagged {
  body: string;
  unknown: readonly UnknownTag[];
}

/** The replacement of a tag; null: unknown. */
export type Replacement = string | null;

export const ARGUMENTS_CHARACTERS_MAX = 1000;

export function replaced(
  text: string,
  tags: RegExp,
  replacementOf: (whole: string, groups: readonly (string | undefined)[]) => Replacement,
): Untagged {
  const unknown: UnknownTag[] = [];
  let body = "";
  let done = 0;
  let line = 1;
  for (const match of text.matchAll(tags)) {
    const [whole, ...groups] = match;
    const before = text.slice(done, match.index);
    line += lineCount(before);
    const replacement = replacementOf(whole, groups);
    if (replacement === null) unknown.push({ tag: whole, line });
    body += before + (replacement ?? "");
    done = match.index + whole.length;
    line += lineCount(whole);
  }
  return { body: body + text.slice(done), unknown };
}

export function lineCount(text: string): number {
  return text.split("\n").length - 1;
}

/** Looks up own properties only, not `constructor` and the like. */
export function ownProperty<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
