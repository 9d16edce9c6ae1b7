import { slugOf } from "../../src/content/addresses/paths.ts";
import { authorPath } from "./author-item.ts";
import type { FindInChapter } from "./book-text.ts";
import type { Corpus, CorpusQuotation } from "./corpus.ts";
import { htmlToMarkdown, plainSpaces } from "./html-to-markdown.ts";
import { topicPath } from "./topic-items.ts";
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
 * `find` meets in the chapter they are said to come from.
 */
export function quotationItems(corpus: Corpus, { find, featured, doubts }: Findings): object[] {
  const languages = new Map(corpus.works.map((work) => [work.id, work.language]));
  const taken = new Set<string>();
  return corpus.quotations.map((quotation) => {
    const language = quotation.work === null ? undefined : languages.get(quotation.work);
    const title = titleOf(quotation);
    const slug = freeSlug(title, quotation.author, taken);
    const chapter = chapterOf(quotation, find);
    const locator = quotation.locator ?? chapter;
    const { verification, reason } = trustIn(chapter, doubts.get(slug));
    return {
      type: "quotation",
      path: `/quotations/${slug}`,
      title,
      ...reason,
      body: htmlToMarkdown(quotation.html),
      fields: {
        ...(locator === null ? {} : { locator }),
        verification,
        ...(featured.has(slug) ? { featured: true } : {}),
      },
      relations: relationsOf(quotation, featured.get(slug) ?? []),
      ...(language === undefined ? {} : { language }),
      status: "published",
      sourceKey: sourceKeyOf(quotation),
    };
  });
}

function trustIn(chapter: string | null, doubt: Doubt | undefined) {
  if (chapter !== null) return { verification: "verified" };
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

/** A person's choice needs no note, and counts for more than the other bases of the same link. */
function topicLinks({ topics }: CorpusQuotation, chosen: readonly string[]): (string | object)[] {
  const others = topics.filter(({ topic }) => !chosen.includes(topic));
  return [
    ...chosen.map(topicPath),
    ...others.map(({ topic, basis }) => ({ to: topicPath(topic), note: BASIS[basis] })),
  ];
}

function chapterOf({ section, text }: CorpusQuotation, find: FindInChapter): string | null {
  return section === null ? null : find(section, plainSpaces(text));
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
