import type { Item } from "../items/item.ts";
import type { ContentType } from "../types/content-type.ts";

/** The field with an item's place in its work, such as a page; null if the type has none. */
export function findPlaceFieldName({ fields }: Pick<ContentType, "fields">): string | null {
  return Object.entries(fields).find(([, { numbered }]) => numbered === true)?.[0] ?? null;
}

/**
 * Whether an item has at most one target of this relation, such as the work of a quotation.
 */
export function isSingleTargetRelation({ relations }: ContentType, relation: string): boolean {
  return relations[relation]?.many === false;
}

/**
 * Where an item occurs in its work or in another item. `place` is cited, such as a page; `position`
 * is the item's number in the order. Null: not stated.
 */
export interface PlaceAndPosition {
  place: string | null;
  position: number | null;
}

/** Reads the place and the position of an item from its fields. */
export function placeAndPositionOf(
  type: ContentType,
  { fields }: Pick<Item, "fields">,
): PlaceAndPosition {
  const place = fields[findPlaceFieldName(type) ?? ""];
  const position = fields[positionFieldName(type) ?? ""];
  return {
    place: typeof place === "string" ? place : null,
    position: typeof position === "number" ? position : null,
  };
}

/**
 * The field with the number that orders an item among the parts of its work or of another item; null if the
 * type has no such field.
 */
export function positionFieldName({ fields }: Pick<ContentType, "fields">): string | null {
  return Object.entries(fields).find(([, { position }]) => position === true)?.[0] ?? null;
}

/**
 * Whether it is known which of two items comes first in their work. True if their positions differ,
 * or if both have only places and {@link differInNumber} is true. Names of chapters say nothing
 * about their order.
 */
export function isOrderKnown(part: PlaceAndPosition, other: PlaceAndPosition): boolean {
  if (part.position !== null && other.position !== null) return part.position !== other.position;
  if (part.position !== null || other.position !== null) return false;
  if (part.place === null || other.place === null) return false;
  return differInNumber(wordsOf(part.place), wordsOf(other.place));
}

/**
 * Whether two places first differ in a number that counts the same thing in both places. This is
 * assumed if another number precedes the first difference, such as the number of a book, or if all
 * other words are equal. False for `III: Slavery` and `IV: Democracy`, which may be chapters of
 * different books.
 */
function differInNumber(words: readonly string[], others: readonly string[]): boolean {
  const length = Math.max(words.length, others.length);
  const at = Array.from({ length }).findIndex((_, index) => words[index] !== others[index]);
  if (at === -1) return true;
  if (![words[at], others[at]].every(isNumeral)) return false;
  if (words.slice(0, at).some(isNumeral)) return true;
  const [names, otherNames] = [words, others].map((each) =>
    each.slice(at).filter((word) => !isNumeral(word)),
  );
  return names?.join(" ") === otherNames?.join(" ");
}

function wordsOf(place: string): string[] {
  return place.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Whether a word of a place is a number. Also true for undefined, which marks the end of a place: if a
 * place begins with the whole text of another place, the shorter one comes first.
 */
function isNumeral(word: string | undefined): boolean {
  return word === undefined || /^(?:\d+|[IVXLC]+)$/.test(word);
}
