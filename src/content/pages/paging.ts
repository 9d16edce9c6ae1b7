import type { Inline, Paging } from "./view.ts";

export const PAGE_ITEMS = 50;
/** Quotations are read in full, and a page of them must stay below 50,000 characters. */
export const PAGE_QUOTES = 25;

const PAGE_NUMBER_MAX = 100_000;

/** Parses a page number, from 1; anything else is page 1. */
export function readPageNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) return 1;
  return Math.min(Number(text), PAGE_NUMBER_MAX);
}

/** Null for a single page. */
export function pagingOf(
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

/** The address of a list page at an encoded path; the first has no number. */
export function pageAddress(path: string, page: number, name = "page"): string {
  return page === 1 ? path : `${path}?${name}=${page}`;
}

/**
 * The visible range with a link to the next page. It precedes the list, because some readers
 * truncate long answers.
 */
export function rangeLine(
  paging: Paging | null,
  { offset, shown, total }: { offset: number; shown: number; total: number },
): Inline[] {
  const range = `${offset + 1} to ${offset + shown} of ${total}.`;
  const next = paging?.next ?? null;
  return next === null ? [range] : [`${range} `, { text: "Continue", to: next }];
}
