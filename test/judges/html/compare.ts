import type { PageContent } from "./page-content.ts";

/** How much of something expected was found. */
interface Share {
  found: number;
  expected: number;
}

/** What came of a page. */
export interface Comparison {
  words: Share;
  /** Words that are not expected, of those found. */
  chrome: Share;
  structure: Record<(typeof STRUCTURE)[number], Share>;
  /** Texts that are not found, by kind. */
  lost: Record<"words" | "headings" | "links" | "preformatted", string[]>;
  extra: string[];
  handlers: number;
  /** Words of buttons and fields that are left out. */
  looseFields: readonly string[];
}

export const STRUCTURE = ["headings", "lists", "tables", "preformatted", "links"] as const;

export function compare(expected: PageContent, shown: PageContent): Comparison {
  const surplus = without(shown.words, [
    ...expected.words,
    ...expected.ownContents,
    ...wordsIn(expected.title),
  ]);
  const lost = {
    words: without(expected.words, [...shown.words, ...shown.ownContents]),
    headings: without(expected.headings, shown.headings),
    links: without(expected.links, shown.links),
    preformatted: without(expected.preformatted, shown.preformatted),
  };
  const ofAll = (kind: keyof typeof lost): Share => ({
    found: expected[kind].length - lost[kind].length,
    expected: expected[kind].length,
  });
  const ofCount = (kind: "listItems" | "tables"): Share => ({
    found: Math.min(expected[kind], shown[kind]),
    expected: expected[kind],
  });
  return {
    words: ofAll("words"),
    chrome: { found: surplus.length, expected: shown.words.length },
    structure: {
      headings: ofAll("headings"),
      lists: ofCount("listItems"),
      tables: ofCount("tables"),
      preformatted: ofAll("preformatted"),
      links: ofAll("links"),
    },
    lost,
    extra: surplus,
    handlers: shown.handlers,
    looseFields: expected.looseFields,
  };
}

export function shareOf({ found, expected }: Share): number {
  return expected === 0 ? 1 : found / expected;
}

export function sumOf(shares: readonly Share[]): Share {
  return {
    found: shares.reduce((sum, { found }) => sum + found, 0),
    expected: shares.reduce((sum, { expected }) => sum + expected, 0),
  };
}

/** A list without as many of each text as another has. */
function without(list: readonly string[], taken: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of taken) left.set(each, (left.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}

function wordsIn(text: string): string[] {
  return text.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
}
