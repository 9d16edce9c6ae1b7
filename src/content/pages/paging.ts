import type { SiteTexts } from "../../texts/site/english.ts";
import type { InlineContent, PageRequest, Paging } from "./view.ts";

export const ITEMS_PER_PAGE = 50;
/** Keeps a page below 50,000 characters, since quotations are shown in full. */
export const QUOTATIONS_PER_PAGE = 25;

/** A request without parameters. */
export const NO_PARAMETERS: PageRequest = { parameter: () => undefined };

const PAGE_NUMBER_MAX = 100_000;

/** Parses a page number, from 1; anything else is page 1. */
export function parsePageNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) return 1;
  return Math.min(Number(text), PAGE_NUMBER_MAX);
}

/** The links to other pages of a list; null if the list has only one page. */
export function buildPaging(
  page: number,
  pages: number,
  addressOf: (page: number) => string,
): Paging | null {
  if (pages <= 1) return null;
  return {
    page,
    pages,
    previous: page > 1 ? addressOf(page - 1) : null,
    next: page < pages ? addressOf(page + 1) : null,
  };
}

/**
 * The address of a page of a list. `path` is percent-encoded. The first page has no page number.
 */
export function pageAddress(path: string, page: number, name = "page"): string {
  return page === 1 ? path : `${path}?${name}=${page}`;
}

/**
 * The items of a list that one page shows: `shown` items from the index `offset`, which counts from
 * 0.
 */
interface ShownRange {
  offset: number;
  shown: number;
}

/**
 * A line with the range of items shown and a link to the next page. The line is above the list,
 * because some clients truncate long answers. The heading states the total.
 */
export function buildShownRangeLine(
  paging: Paging | null,
  { offset, shown }: ShownRange,
  texts: SiteTexts,
): InlineContent[] {
  const range = texts.list.range(offset + 1, offset + shown);
  return [range, ...moreLink(paging, texts)];
}

/** The total, and the range of items shown if there are several pages. */
export function buildCountAndRangeLine(
  count: string,
  { paging, range, texts }: { paging: Paging | null; range: ShownRange; texts: SiteTexts },
): InlineContent[] {
  if (paging === null) return [texts.list.total(count)];
  const { offset, shown } = range;
  const text = texts.list.totalAndRange(count, offset + 1, offset + shown);
  return [text, ...moreLink(paging, texts)];
}

function moreLink(paging: Paging | null, texts: SiteTexts): InlineContent[] {
  const next = paging?.next ?? null;
  return next === null ? [] : [" ", { text: texts.list.next, to: next, rel: "next" }];
}
