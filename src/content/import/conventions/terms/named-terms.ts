import type { Wording } from "../../../../errors.ts";
import { isRecord } from "../../item-parsing.ts";
import type { Note } from "../note.ts";
import type { Program } from "../program.ts";
import { formerLists } from "./former-lists.ts";
import type { KnownTerms } from "./known-terms.ts";
import { type NamedTerm, termIn, valuesOf } from "./term-values.ts";

/** The topics and authors of a file, as it names them. */
export interface NamedTerms {
  topics: readonly NamedTerm[];
  authors: readonly NamedTerm[];
}

export const NO_TERMS: NamedTerms = { topics: [], authors: [] };

/** Limit on the links of an item by one relation. */
const TERMS_MAX = 1000;
const TOPIC_KEYS = ["tags", "tag", "categories", "category", "topics"] as const;
const AUTHOR_KEYS = ["authors", "author"] as const;
/** Keys whose text is a single name, commas and spaces included. */
const SINGLE_TERM_KEYS: ReadonlySet<string> = new Set(["tag", "category", "author", "authors"]);

/** Tags with a technical meaning, which are not topics. */
const TECHNICAL_TERMS: ReadonlySet<string> = new Set([
  ..."all nav navigation page pages post posts uncategorized uncategorised".split(" "),
]);

interface Reading {
  program: Pick<
    Program,
    "listInText" | "topicKeys" | "termFolders" | "name" | "hasNestedCategories"
  >;
  known: KnownTerms;
  /** The language segment of addresses, with a trailing slash; empty: none. */
  prefix: string;
  /** Receives added notes. */
  notes: Note[];
}

/** Removes the keys that name topics and authors from front matter, and returns what they name. */
export function extractTerms(values: Record<string, unknown>, reading: Reading): NamedTerms {
  const { known, program } = reading;
  const keys = [...TOPIC_KEYS, ...(program.topicKeys ?? [])];
  const taken = new Map<string, unknown>();
  for (const key of [...keys, ...AUTHOR_KEYS]) {
    if (Object.hasOwn(values, key)) taken.set(key, values[key]);
    delete values[key];
  }
  const groups = values["taxonomies"];
  const grouped = Object.entries(isRecord(groups) ? groups : {});
  if (isRecord(groups)) delete values["taxonomies"];
  const isOfAuthors = (key: string) => /^authors?$/.test(key);
  const raw = [...taken, ...grouped];
  const layout = /([^/.]+)(?:\.\w+)?$/.exec(String(values["layout"] ?? ""))?.[1]?.toLowerCase();
  const isTechnical = ({ name }: NamedTerm) => {
    const folded = name.toLowerCase();
    return TECHNICAL_TERMS.has(folded) || folded === layout || folded === `${layout}s`;
  };
  const topics = raw.filter(([key]) => !isOfAuthors(key));
  const authors = raw.filter(([key]) => isOfAuthors(key));
  return {
    topics: termsOf(topics, known.tags, reading).filter((term) => !isTechnical(term)),
    authors: termsOf(authors, known.authors, reading),
  };
}

function termsOf(
  raw: readonly (readonly [string, unknown])[],
  known: ReadonlyMap<string, NamedTerm>,
  reading: Reading,
): NamedTerm[] {
  const { program, notes } = reading;
  const terms = new Map<string, NamedTerm>();
  for (const [key, value] of raw) {
    const inText = SINGLE_TERM_KEYS.has(key) ? "whole" : (program.listInText ?? "whole");
    const isPath = program.hasNestedCategories === true && key === "categories";
    const values = isPath ? categoriesIn(value) : valuesOf(value, inText).map(singleValue);
    const faults = values.flatMap(({ each, above }) => {
      const term = knownOrOwn(termIn(each), { key, known, above, reading });
      if (term === null) return [];
      return "fault" in term ? [term.fault] : added(term, terms);
    });
    for (const message of new Set(faults)) notes.push({ key, message });
  }
  return [...terms.values()];
}

interface NestedValue {
  each: unknown;
  above: readonly string[];
}

function singleValue(each: unknown): NestedValue {
  return { each, above: [] };
}

const CATEGORIES_DEEP_MAX = 10;

/**
 * Reads categories with those that contain them: `[A, B]` is B within A; `[[A, B], [C]]` are two
 * such paths.
 */
function categoriesIn(raw: unknown): NestedValue[] {
  const list = Array.isArray(raw) ? raw : [raw];
  const paths = list.some(Array.isArray) ? list.map((path) => [path].flat()) : [list];
  return paths.flatMap((path) => {
    const names = path.flatMap((each) => valuesOf(each, "whole"));
    return names.map((each, at) => {
      const above = at < CATEGORIES_DEEP_MAX ? names.slice(0, at).map(String) : [];
      return { each, above };
    });
  });
}

function knownOrOwn(
  term: ReturnType<typeof termIn>,
  {
    key,
    known,
    above,
    reading,
  }: {
    key: string;
    known: ReadonlyMap<string, NamedTerm>;
    above: readonly string[];
    reading: Reading;
  },
): ReturnType<typeof termIn> {
  if (term === null || "fault" in term) return term;
  const bare = withoutSigns(term, key);
  const found = known.get(bare.name) ?? bare;
  if (found.name === "") return null;
  const lists = formerLists(bare.name, key, { ...reading, above });
  return lists.length === 0 ? found : { ...found, lists };
}

/** Adds a name unless it is a duplicate. @returns a note if there are too many. */
function added(term: NamedTerm, terms: Map<string, NamedTerm>): Wording[] {
  const folded = term.name.toLowerCase();
  if (!terms.has(folded) && terms.size === TERMS_MAX) return [TOO_MANY];
  if (!terms.has(folded)) terms.set(folded, term);
  return [];
}

/**
 * Removes the `#` of Obsidian's tags. Keeps values of `authors` and `topics`, which may be paths.
 */
function withoutSigns(term: NamedTerm, key: string): NamedTerm {
  if (key === "authors" || key === "topics") return term;
  return { ...term, name: term.name.replace(/^[#/]+/, "") };
}

const TOO_MANY: Wording = {
  en: `more than ${TERMS_MAX} names; the rest is left out`,
  de: `mehr als ${TERMS_MAX} Namen; der Rest wird weggelassen`,
};
