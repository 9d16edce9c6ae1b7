import type { FolderTerms } from "../content/import/conventions/terms/folder-terms.ts";
import type { NamedLinkContext } from "../content/import/named-links.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import type { RedirectPair } from "../content/import/redirects/redirect-rule.ts";
import { createItemsForNames } from "../content/import/tables/named-items.ts";
import { findNameDraftsToPublish } from "../content/import/tables/reading/drafts-of-names.ts";
import type { Wording } from "../errors.ts";
import type { SurveyedSource } from "./folders/survey-items.ts";
import type { RedirectFromFile } from "./redirects/import-redirects.ts";

export interface TermItemOptions {
  /** The imported folder. Messages name it as the file of each item. */
  file: string;
  names: NamedLinkContext;
  now: Date;
  timeZone: string;
  /** Whether the import publishes all items that have no status. */
  publishesAll: boolean;
  onNote: (message: Wording) => void;
  /** Called between items to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
}

/** Creates items for the topics and authors that files name but the site does not have. */
export async function* generateMissingTermItems(
  { namedItems }: FolderTerms,
  { file, names, now, timeZone, publishesAll, onNote, yieldBetween }: TermItemOptions,
): AsyncGenerator<ParsedItem> {
  const { find, types, record } = names;
  const newItems: ParsedItem[] = [];
  for (const item of createItemsForNames(namedItems, { types, find, now, timeZone, file })) {
    newItems.push(item);
    await yieldBetween?.();
  }
  if (newItems.length > 0) onNote(summary(newItems));
  yield* newItems;
  if (publishesAll) yield* findNameDraftsToPublish(record, namedItems, file, types);
}

/**
 * Redirects from the former addresses of tag and author pages. Addresses at which the folder has a
 * page are omitted.
 */
export function planTermPageRedirects(
  { source: { root: file }, survey: { terms, owners, former } }: SurveyedSource,
  names: NamedLinkContext,
): (RedirectFromFile & RedirectPair)[] {
  const isFree = (path: string) => !owners.has(path) && !former.has(path);
  return terms
    .redirects(names)
    .filter(({ from }) => isFree(withoutPattern(from)))
    .map((redirect) => ({ file, line: 1, ...redirect }));
}

/**
 * Adds the former addresses of tag and author pages to `survey.former`, so that links to these
 * pages are resolved.
 */
export function withFormerTermPages(
  surveyed: SurveyedSource,
  redirects: readonly RedirectPair[],
): SurveyedSource {
  const pages = redirects.map(({ from, to }) => [withoutPattern(from), to] as const);
  const former = new Map([...pages, ...surveyed.survey.former]);
  return { ...surveyed, survey: { ...surveyed.survey, former } };
}

function withoutPattern(from: string): string {
  return from.replace(/\/\*$/, "");
}

function summary(newItems: readonly ParsedItem[]): Wording {
  const topics = newItems.filter(({ input }) => input?.type === "topic").length;
  const authors = newItems.length - topics;
  return {
    en: `From tags, categories and authors of the texts: new topics: ${topics}, new authors: ${authors}`,
    de: `Aus Schlagwörtern und Namen der Texte: neue Themen: ${topics}, neue Autorinnen und Autoren: ${authors}`,
  };
}
