import { cutAtWord } from "../../../search/language/folding.ts";

const VALUE_CHARACTERS_MAX = 80;
/** Maximum number of characters that a shortened text shows before the first difference. */
const BEFORE_CHARACTERS_MAX = 40;

/**
 * Returns the site's and the file's value of a part as texts for a message. Long texts are cut to the
 * passage in which they first differ. Null: both passages would be equal.
 */
export function formatConflictingValues(site: unknown, file: unknown): [string, string] | null {
  const [ours, theirs] = [textOf(site), textOf(file)];
  const isShort = Math.max(ours.length, theirs.length) <= VALUE_CHARACTERS_MAX;
  const start = isShort ? 0 : startOfPassage(ours, theirs);
  const [first, second] = [passageFrom(start, ours), passageFrom(start, theirs)];
  return first === second ? null : [first, second];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

/**
 * Returns where the passage to show begins: at the start of the line in which the texts first differ. If
 * the difference is far into that line, the passage begins at a word shortly before it.
 */
function startOfPassage(one: string, other: string): number {
  let difference = 0;
  while (difference < one.length && one[difference] === other[difference]) difference += 1;
  const before = one.slice(0, difference);
  const line = before.lastIndexOf("\n") + 1;
  if (difference - line <= BEFORE_CHARACTERS_MAX) return line;
  const space = before.indexOf(" ", difference - BEFORE_CHARACTERS_MAX);
  return space < 0 ? difference : space + 1;
}

function passageFrom(start: number, text: string): string {
  const shown = cutAtWord(text.slice(start).trim().replaceAll(/\s+/g, " "), VALUE_CHARACTERS_MAX);
  return JSON.stringify(start > 0 ? `…${shown}` : shown);
}
