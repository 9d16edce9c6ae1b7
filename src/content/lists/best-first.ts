import type { Item } from "../items/item.ts";
import {
  BEST_FIRST_SORT,
  type ContentType,
  type ContentTypes,
  warningValuesBySealField,
} from "../types/content-type.ts";
import { CREATOR_SCHEMA_ORG_TYPES, SOURCE_SCHEMA_ORG_TYPES } from "../types/source-types.ts";

/** A boolean field with which editors pin items to the top of lists. */
export const FEATURED_FIELD = "featured";

/**
 * The number of items of each author in the first part of a list, where authors take turns: each
 * author's best item, then each author's second-best item, and so on.
 */
const TURNS = 12;
/**
 * Number of items per author that are interleaved with items of other authors. The author's best
 * {@link TURNS} items are in the first part of the list. The author's next items, up to this
 * number, are spread evenly over the second part. All further items come last, by score.
 */
export const INTERLEAVED_PER_AUTHOR_MAX = 100;

/** Added to the score of items that are not pinned. It exceeds the sum of all other penalties. */
const UNPINNED_PENALTY = 10_000;
const PENALTY_MAX = UNPINNED_PENALTY - 1;
const TURN = UNPINNED_PENALTY;
const PIN_UNIT = 100 * TURN;
/** The range of ranks over which an author's items after the first {@link TURNS} are spread. */
const SPREAD = 60 * TURN;

/**
 * Added to the score of an item if a program made the link that puts it in the list. Links by
 * people are more reliable. Exceeds the penalty of an unverified item.
 */
const MACHINE_PENALTY = 1600;

/** Range of text lengths, in characters, that read well in a list. */
const READABLE_CHARACTERS_MIN = 45;
const READABLE_CHARACTERS_MAX = 110;

type ScoredItem = Pick<Item, "title" | "summary" | "body" | "fields" | "relations">;

/** Whether lists of this type are ranked. */
export function hasRankedLists(type: ContentType | undefined): boolean {
  return type?.defaultSort === BEST_FIRST_SORT;
}

/**
 * The score of an item in lists; lower is better. It depends on whether the item is pinned, how
 * well it is verified, its length, its links, and whether it is a whole sentence. It does not
 * depend on visitors.
 */
export function computeBestFirstScore(item: ScoredItem, type: ContentType): number {
  const penalty =
    trustPenalty(item, type) +
    lengthPenalty(item.body.length) +
    linksPenalty(item, type) +
    (isSentence(item.body) ? 0 : 250) +
    (isDictionaryEntry(item) ? 400 : 0) +
    (item.summary === "" ? 60 : 0);
  return (item.fields[FEATURED_FIELD] === true ? 0 : UNPINNED_PENALTY) + Math.round(penalty);
}

/**
 * The score of an item in the list of items that link to another item. The score is worse if the
 * link's `note` says that a program made the link.
 */
export function adjustScoreForLinkNote(score: number, note: string | null): number {
  const isMachineMade = note !== null && /\b(?:keyword|machine|automatic)/i.test(note);
  const pinPart = score - (score % UNPINNED_PENALTY);
  const penalty = (score % UNPINNED_PENALTY) + (isMachineMade ? MACHINE_PENALTY : 0);
  return pinPart + Math.min(PENALTY_MAX, penalty);
}

/** The position of an item among the items of its author in the same list. */
export interface PositionAmongAuthorItems {
  /** The number of the author's items that rank before this item. */
  at: number;
  /** The number of all items of the author, at most {@link INTERLEAVED_PER_AUTHOR_MAX}. */
  of: number;
}

/** The position of an author's only item, or of an item without an author. */
export const ONLY_ITEM_OF_AUTHOR: PositionAmongAuthorItems = { at: 0, of: 1 };
/** The position of an item that comes after all interleaved items. */
export const AFTER_INTERLEAVED_ITEMS: PositionAmongAuthorItems = {
  at: INTERLEAVED_PER_AUTHOR_MAX,
  of: INTERLEAVED_PER_AUTHOR_MAX,
};

/**
 * The rank of an item in a list that mixes the items of several authors. Items with lower ranks
 * come first.
 */
export function rankInList(score: number, { at, of }: PositionAmongAuthorItems): number {
  const pinPart = Math.floor(score / UNPINNED_PENALTY) * PIN_UNIT;
  return pinPart + mixingPart(at, of) + (score % UNPINNED_PENALTY);
}

function mixingPart(at: number, of: number): number {
  if (at < TURNS) return at * TURN;
  if (at >= INTERLEAVED_PER_AUTHOR_MAX) return TURNS * TURN + SPREAD;
  return TURNS * TURN + Math.floor(((at - TURNS + 0.5) / (of - TURNS)) * SPREAD);
}

/** The relation that names an item's authors; null if the type has none. */
export function creatorRelation(type: ContentType, types: ContentTypes): string | null {
  const found = Object.entries(type.relations).find(([, { target }]) =>
    CREATOR_SCHEMA_ORG_TYPES.has(types.get(target)?.schemaOrg ?? ""),
  );
  return found?.[0] ?? null;
}

/**
 * Whether the items that link to one target through this relation can have different authors. Items
 * on the same topic can; items by the same author or from the same work cannot.
 */
export function canInterleaveAuthors(
  type: ContentType,
  relation: string,
  types: ContentTypes,
): boolean {
  const target = type.relations[relation]?.target ?? "";
  return !SOURCE_SCHEMA_ORG_TYPES.has(types.get(target)?.schemaOrg ?? "");
}

/**
 * The penalty for a doubtful item. The seal field states how far an item can be trusted. Each type must
 * declare the values of this field from most to least trustworthy.
 */
function trustPenalty({ fields }: ScoredItem, type: ContentType): number {
  const [sealField] = warningValuesBySealField(type);
  if (sealField === undefined) return 0;
  const [name, cautions] = sealField;
  const value = fields[name];
  if (typeof value !== "string") return 900;
  const valueIndex = type.fields[name]?.values?.indexOf(value) ?? 0;
  return 600 * Math.min(3, valueIndex) + (cautions.includes(value) ? 2000 : 0);
}

function lengthPenalty(characters: number): number {
  if (characters < READABLE_CHARACTERS_MIN) return 8 * (READABLE_CHARACTERS_MIN - characters);
  return Math.min(1500, Math.max(0, 1.2 * (characters - READABLE_CHARACTERS_MAX)));
}

/**
 * Penalises relations without links, such as a missing author, and relations that accept many links but
 * have only one.
 */
function linksPenalty({ relations }: ScoredItem, type: ContentType): number {
  let penalty = 0;
  for (const [name, { many }] of Object.entries(type.relations)) {
    const links = relations[name]?.length ?? 0;
    if (links === 0) penalty += many ? 200 : 150;
    else if (many && links === 1) penalty += 40;
  }
  return Math.min(1000, penalty);
}

/**
 * Whether a text looks like a sentence: it does not start with a lower-case letter, and ends with
 * punctuation.
 */
function isSentence(text: string): boolean {
  return !/^[“"'‘(]?\p{Ll}/u.test(text) && /[.!?…。！？؟][”"'’)*_]*$/u.test(text.trimEnd());
}

/**
 * Whether the item is a dictionary entry: its `locator` equals its title, the headword. The text of
 * such an item makes little sense without the headword.
 */
function isDictionaryEntry({ title, fields }: ScoredItem): boolean {
  return title === fields["locator"];
}
