import type { Item } from "../items/item.ts";
import { BEST, type ContentType, type ContentTypes, sealFields } from "../types/content-type.ts";

/** A boolean field with which editors pin items to the top of lists. */
export const FEATURED_FIELD = "featured";

/** How many items of each author alternate with those of others; the rest follow by score. */
export const TURNS_MAX = 12;

/** Added to the score of items that are not pinned; exceeds all other differences together. */
const NOT_PINNED = 10_000;
const PENALTY_MAX = NOT_PINNED - 1;
const TURN = NOT_PINNED;
const PIN_UNIT = 100 * TURN;

const CREATOR_TYPES: ReadonlySet<string> = new Set(["Person", "Organization"]);
const SOURCE_TYPES: ReadonlySet<string> = new Set([...CREATOR_TYPES, "CreativeWork", "Book"]);

/**
 * Added if a program made the link. Exceeds the penalty of an unverified item, as topics that
 * people assign are more reliable.
 */
const MACHINE_PENALTY = 1600;

/** Range of text lengths, in characters, that read well in a list. */
const CHARACTERS_MIN = 45;
const CHARACTERS_MAX = 110;

type Scored = Pick<Item, "title" | "summary" | "body" | "fields" | "relations">;

/** Whether lists of this type are ranked. */
export function isRanked(type: ContentType | undefined): boolean {
  return type?.defaultSort === BEST;
}

/**
 * The score of an item in lists, lower is better: whether it is pinned, how well it is verified,
 * its length, its links, and whether it is a whole sentence. Independent of visitors.
 */
export function scoreOf(item: Scored, type: ContentType): number {
  const penalty =
    trustPenalty(item, type) +
    lengthPenalty(item.body.length) +
    linksPenalty(item, type) +
    (isSentence(item.body) ? 0 : 250) +
    (isHeadword(item) ? 400 : 0) +
    (item.summary === "" ? 60 : 0);
  return (item.fields[FEATURED_FIELD] === true ? 0 : NOT_PINNED) + Math.round(penalty);
}

/**
 * The score of an item in the list of another item that it links to: worse if a program made the
 * link.
 */
export function scoreInList(score: number, note: string | null): number {
  const isMade = note !== null && /\b(?:keyword|machine|automatic)/i.test(note);
  const choice = score - (score % NOT_PINNED);
  return choice + Math.min(PENALTY_MAX, (score % NOT_PINNED) + (isMade ? MACHINE_PENALTY : 0));
}

/** The rank in a list, lowest first. `turn`: number of items by the same author above it. */
export function rankOf(score: number, turn: number): number {
  const choice = Math.floor(score / NOT_PINNED) * PIN_UNIT;
  return choice + Math.min(turn, TURNS_MAX) * TURN + (score % NOT_PINNED);
}

/** The relation that names an item's authors; null if the type has none. */
export function creatorRelation(type: ContentType, types: ContentTypes): string | null {
  const found = Object.entries(type.relations).find(([, { target }]) =>
    CREATOR_TYPES.has(types.get(target)?.schemaOrg ?? ""),
  );
  return found?.[0] ?? null;
}

/** Whether the list under a target of this relation can mix authors, as a topic's list can. */
export function mixesAuthors(type: ContentType, relation: string, types: ContentTypes): boolean {
  const target = type.relations[relation]?.target ?? "";
  return !SOURCE_TYPES.has(types.get(target)?.schemaOrg ?? "");
}

/** Relies on field values being declared from most to least trustworthy. */
function trustPenalty({ fields }: Scored, type: ContentType): number {
  const [stated] = sealFields(type);
  if (stated === undefined) return 0;
  const [name, cautions] = stated;
  const value = fields[name];
  if (typeof value !== "string") return 900;
  const place = type.fields[name]?.values?.indexOf(value) ?? 0;
  return 600 * Math.min(3, place) + (cautions.includes(value) ? 2000 : 0);
}

function lengthPenalty(characters: number): number {
  if (characters < CHARACTERS_MIN) return 8 * (CHARACTERS_MIN - characters);
  return Math.min(1500, Math.max(0, 1.2 * (characters - CHARACTERS_MAX)));
}

/** Penalises relations without links, such as a missing author, and lists of a single link. */
function linksPenalty({ relations }: Scored, type: ContentType): number {
  let penalty = 0;
  for (const [name, { many }] of Object.entries(type.relations)) {
    const links = relations[name]?.length ?? 0;
    if (links === 0) penalty += many ? 200 : 150;
    else if (many && links === 1) penalty += 40;
  }
  return Math.min(1000, penalty);
}

/** Whether a text does not start with a lower-case letter, and ends with punctuation. */
function isSentence(text: string): boolean {
  return !/^[“"'‘(]?\p{Ll}/u.test(text) && /[.!?…。！？؟][”"'’)*_]*$/u.test(text.trimEnd());
}

/** Whether the item is a dictionary entry, which reads oddly without its headword. */
function isHeadword({ title, fields }: Scored): boolean {
  return title === fields["locator"];
}
