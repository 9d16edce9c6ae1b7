import type { Wording } from "../../../../errors.ts";
import { isRecord } from "../../item-parsing.ts";
import type { ConversionNote } from "../conversion-note.ts";
import type { SiteGenerator } from "../site-generator.ts";
import type { DeclaredTerms } from "./declared-terms.ts";
import { listFormerTermAddresses } from "./former-term-addresses.ts";
import { flattenListValues, type NamedTerm, parseTerm } from "./term-values.ts";

/** The topics and authors that a file names, in the file's spelling. */
export interface FileTopicsAndAuthors {
  topics: readonly NamedTerm[];
  authors: readonly NamedTerm[];
}

export const NO_TERMS: FileTopicsAndAuthors = { topics: [], authors: [] };

/** Maximum number of an item's links in one relation. */
const TERMS_MAX = 1000;
const TOPIC_KEYS = ["tags", "tag", "categories", "category", "topics"] as const;
const AUTHOR_KEYS = ["authors", "author"] as const;
/** Keys whose value, if it is a string, is a single name, even with commas and spaces. */
const SINGLE_TERM_KEYS: ReadonlySet<string> = new Set(["tag", "category", "author", "authors"]);

/** Tags with a technical meaning, which are not topics. */
const TECHNICAL_TERMS: ReadonlySet<string> = new Set([
  ..."all nav navigation page pages post posts uncategorized uncategorised".split(" "),
]);

interface TermContext {
  generator: Pick<
    SiteGenerator,
    "listInText" | "topicKeys" | "termFolders" | "name" | "hasNestedCategories"
  >;
  known: DeclaredTerms;
  /**
   * The language folder at the start of page addresses, with a trailing slash, such as `de/`; empty: none.
   */
  prefix: string;
  /** Notes are added to this list. */
  notes: ConversionNote[];
}

/** Removes the front matter keys that name topics and authors, and returns these topics and authors. */
export function extractTerms(
  values: Record<string, unknown>,
  context: TermContext,
): FileTopicsAndAuthors {
  const { known, generator } = context;
  const keys = [...TOPIC_KEYS, ...(generator.topicKeys ?? [])];
  const removed = new Map<string, unknown>();
  for (const key of [...keys, ...AUTHOR_KEYS]) {
    if (Object.hasOwn(values, key)) removed.set(key, values[key]);
    delete values[key];
  }
  const groups = values["taxonomies"];
  const grouped = Object.entries(isRecord(groups) ? groups : {});
  if (isRecord(groups)) delete values["taxonomies"];
  const namesAuthors = (key: string) => /^authors?$/.test(key);
  const raw = [...removed, ...grouped];
  const layout = /([^/.]+)(?:\.\w+)?$/.exec(String(values["layout"] ?? ""))?.[1]?.toLowerCase();
  const isTechnical = ({ name }: NamedTerm) => {
    const folded = name.toLowerCase();
    return TECHNICAL_TERMS.has(folded) || folded === layout || folded === `${layout}s`;
  };
  const topics = raw.filter(([key]) => !namesAuthors(key));
  const authors = raw.filter(([key]) => namesAuthors(key));
  return {
    topics: termsOf(topics, known.tags, context).filter((term) => !isTechnical(term)),
    authors: termsOf(authors, known.authors, context),
  };
}

function termsOf(
  raw: readonly (readonly [string, unknown])[],
  known: ReadonlyMap<string, NamedTerm>,
  context: TermContext,
): NamedTerm[] {
  const { generator, notes } = context;
  const terms = new Map<string, NamedTerm>();
  for (const [key, value] of raw) {
    const listInText = SINGLE_TERM_KEYS.has(key) ? "whole" : (generator.listInText ?? "whole");
    const isPath = generator.hasNestedCategories === true && key === "categories";
    const values = isPath
      ? categoriesIn(value)
      : flattenListValues(value, listInText).map(singleValue);
    const faults = values.flatMap(({ each, above }) => {
      const term = resolveTerm(parseTerm(each), { key, known, above, context });
      if (term === null) return [];
      return "fault" in term ? [term.fault] : addTerm(term, terms);
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

const CATEGORY_DEPTH_MAX = 10;

/**
 * Reads categories, each with the categories that contain it. In `[A, B]`, A contains B. In a list of lists,
 * such as `[[A, B], [C]]`, each inner list starts at the top level.
 */
function categoriesIn(raw: unknown): NestedValue[] {
  const list = Array.isArray(raw) ? raw : [raw];
  const paths = list.some(Array.isArray) ? list.map((path) => [path].flat()) : [list];
  return paths.flatMap((path) => {
    const names = path.flatMap((each) => flattenListValues(each, "whole"));
    return names.map((each, at) => {
      const above = at < CATEGORY_DEPTH_MAX ? names.slice(0, at).map(String) : [];
      return { each, above };
    });
  });
}

function resolveTerm(
  term: ReturnType<typeof parseTerm>,
  {
    key,
    known,
    above,
    context,
  }: {
    key: string;
    known: ReadonlyMap<string, NamedTerm>;
    above: readonly string[];
    context: TermContext;
  },
): ReturnType<typeof parseTerm> {
  if (term === null || "fault" in term) return term;
  const ownTerm = withoutHash(term, key);
  const found = known.get(ownTerm.name) ?? ownTerm;
  if (found.name === "") return null;
  const formerAddresses = listFormerTermAddresses(ownTerm.name, key, { ...context, above });
  return formerAddresses.length === 0 ? found : { ...found, formerAddresses };
}

/** Adds a term unless its name is a duplicate. Returns a note if there are too many terms. */
function addTerm(term: NamedTerm, terms: Map<string, NamedTerm>): Wording[] {
  const folded = term.name.toLowerCase();
  if (!terms.has(folded) && terms.size === TERMS_MAX) return [TOO_MANY];
  if (!terms.has(folded)) terms.set(folded, term);
  return [];
}

/**
 * Removes the `#` from Obsidian's tags. Values of `authors` and `topics` are unchanged, because
 * they may be paths.
 */
function withoutHash(term: NamedTerm, key: string): NamedTerm {
  if (key === "authors" || key === "topics") return term;
  return { ...term, name: term.name.replace(/^[#/]+/, "") };
}

const TOO_MANY: Wording = {
  en: `more than ${TERMS_MAX} names; the rest is left out`,
  de: `mehr als ${TERMS_MAX} Namen; der Rest wird weggelassen`,
};
