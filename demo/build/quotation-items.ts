import { slugOf } from "../../src/content/addresses/paths.ts";
import { authorPath } from "./author-item.ts";
import type { BookPlace, FindInChapter } from "./book-text.ts";
import type { Corpus, CorpusQuotation } from "./corpus.ts";
import { htmlToMarkdown, plainSpaces } from "./html-to-markdown.ts";
import { topicPath } from "./topic-items.ts";
import { translatorsIn } from "./translators.ts";
import { workPath } from "./work-item.ts";
import type { Doubt } from "./written-texts.ts";

/** On what basis a topic link stands, in the words readers see. */
const BASIS = {
  "editor-tag": "editor tag",
  "essay-title": "essay title",
  keyword: "keyword (assigned by machine)",
} as const;

const TITLE_CHARACTERS = 64;

interface Findings {
  find: FindInChapter;
  featured: ReadonlyMap<string, readonly string[]>;
  doubts: ReadonlyMap<string, Doubt>;
}

/**
 * The items of all quotations, in the order of the corpus. Verified are those whose words
 * `find` meets in the chapter they are said to come from. Those in a translator's introduction are the
 * translator's.
 */
export function quotationItems(corpus: Corpus, { find, featured, doubts }: Findings): object[] {
  const languages = new Map(corpus.works.map((work) => [work.id, work.language]));
  const names = new Map(corpus.authors.map(({ id, name }) => [id, name]));
  const translatorOf = translatorsIn(corpus.works);
  const taken = new Set<string>();
  const places = new Map(
    corpus.quotations.map((quotation) => [quotation.id, placeOf(quotation, find)]),
  );
  const positions = positionsInWorks(corpus.quotations, places);
  return corpus.quotations.map((stated) => {
    const place = places.get(stated.id) ?? null;
    const { translator, ...quotation } = inWhoseWords(stated, place, translatorOf(stated));
    const language = quotation.work === null ? undefined : languages.get(quotation.work);
    const title = titleOf(quotation);
    const slug = freeSlug(title, quotation.author, taken);
    const locator = locatorOf(quotation, place);
    const { verification, reason } = trustIn(place, doubts.get(slug));
    return {
      type: "quotation",
      path: `/quotations/${slug}`,
      title,
      ...reason,
      body: htmlToMarkdown(quotation.html),
      fields: known({
        locator,
        position: positions.get(quotation.id) ?? null,
        verification,
        featured: featured.has(slug) ? true : null,
        translator: names.get(translator ?? "") ?? null,
      }),
      relations: relationsOf(quotation, featured.get(slug) ?? []),
      ...(language === undefined ? {} : { language }),
      status: "published",
      sourceKey: sourceKeyOf(quotation),
    };
  });
}

/** The quotation with its translator; a passage of the translator's own introduction is the translator's. */
function inWhoseWords(
  quotation: CorpusQuotation,
  place: BookPlace | null,
  translator: string | null,
): CorpusQuotation & { translator: string | null } {
  if (place === null || translator === null) return { ...quotation, translator: null };
  if (place.introduction) return { ...quotation, author: translator, translator: null };
  return { ...quotation, translator };
}

function known(fields: Readonly<Record<string, string | number | boolean | null>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function trustIn(place: BookPlace | null, doubt: Doubt | undefined) {
  if (place !== null) return { verification: "verified" };
  if (doubt === undefined) return { verification: "attributed" };
  const [verification, summary] = doubt;
  return { verification, reason: { summary } };
}

function relationsOf(quotation: CorpusQuotation, chosen: readonly string[]): object {
  const topics = topicLinks(quotation, chosen);
  return {
    authors: [authorPath(quotation.author)],
    ...(quotation.work === null ? {} : { work: [workPath(quotation.work)] }),
    ...(topics.length === 0 ? {} : { topics }),
  };
}

/** A person's choice needs no note, counts for more than other bases, and leaves nothing to keywords. */
function topicLinks({ topics }: CorpusQuotation, chosen: readonly string[]): (string | object)[] {
  const others = topics.filter(({ topic, basis }) => {
    return !chosen.includes(topic) && (chosen.length === 0 || basis !== "keyword");
  });
  return [
    ...chosen.map(topicPath),
    ...others.map(({ topic, basis }) => ({ to: topicPath(topic), note: BASIS[basis] })),
  ];
}

function placeOf({ section, text }: CorpusQuotation, find: FindInChapter): BookPlace | null {
  return section === null ? null : find(section, plainSpaces(text));
}

/** Chapters that are numbered from one in each book need the book: `Book II, III: …`. */
function locatorOf({ locator }: CorpusQuotation, place: BookPlace | null): string | null {
  const chapter = locator ?? place?.chapter ?? null;
  if (chapter === null || place === null) return chapter;
  const stated = place.introduction ? chapter.replace(/(?=, ¶|$)/, ", Introduction") : chapter;
  return place.part === null ? stated : `${place.part}, ${stated}`;
}

/** The number of each quotation among those of its work, in the order of the text. */
function positionsInWorks(
  quotations: readonly CorpusQuotation[],
  places: ReadonlyMap<string, BookPlace | null>,
): Map<string, number> {
  const found = quotations.flatMap(({ id, work }) => {
    const place = places.get(id) ?? null;
    return work === null || place === null ? [] : [{ id, work, order: place.order }];
  });
  const positions = new Map<string, number>();
  for (const parts of Map.groupBy(found, ({ work }) => work).values()) {
    parts.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
    for (const [at, { id }] of parts.entries()) positions.set(id, at + 1);
  }
  return positions;
}

function sourceKeyOf({ id, source }: CorpusQuotation): string {
  return source.includes(":") ? source : `${source}:${id}`;
}

/** The headword of a dictionary entry, or else the first words of the text. */
function titleOf(quotation: CorpusQuotation): string {
  if (quotation.title !== "") return quotation.title;
  const text = plainSpaces(quotation.text).replace(/\s+/g, " ").trim();
  if (text.length <= TITLE_CHARACTERS) return text;
  const cut = text.slice(0, text.lastIndexOf(" ", TITLE_CHARACTERS));
  return `${cut.replace(/[\s,;:.—–-]+$/u, "")}…`;
}

function freeSlug(title: string, author: string, taken: Set<string>): string {
  const slug = slugOf(title);
  const candidates = [slug, `${slug}-${author}`];
  for (let count = 2; ; count++) {
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) {
      taken.add(free);
      return free;
    }
    candidates.push(`${slug}-${author}-${count}`);
  }
}
