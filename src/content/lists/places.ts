import type { ContentType } from "../types/content-type.ts";

/** The field with an item's location in its work, such as a page; null if the type has none. */
export function placeField({ fields }: Pick<ContentType, "fields">): string | null {
  return Object.entries(fields).find(([, { numbered }]) => numbered === true)?.[0] ?? null;
}

/**
 * Whether an item has at most one target of this relation, such as the work of a quotation.
 */
export function isPartRelation({ relations }: ContentType, relation: string): boolean {
  return relations[relation]?.many === false;
}

/**
 * Whether the order of two places in one work is known: they first differ in a number, or contain
 * no numbers at all, like the headwords of a dictionary. Places such as `Preface, 3` and `Letters,
 * 2` first differ in a name, and chapters are not in the order of the alphabet.
 */
export function isOrderKnown(place: string, other: string): boolean {
  const [words, otherWords] = [wordsOf(place), wordsOf(other)];
  const at = words.findIndex((word, position) => word !== otherWords[position]);
  const differing = at === -1 ? [] : [words[at], otherWords[at]];
  return differing.every(isNumeral) || ![...words, ...otherWords].some(isNumeral);
}

function wordsOf(place: string): string[] {
  return place.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Undefined: the place has no more words, so it comes first. */
function isNumeral(word: string | undefined): boolean {
  return word === undefined || /^(?:\d+|[IVXLC]+)$/.test(word);
}
