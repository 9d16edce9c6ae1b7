import { foldText } from "../../search/language/folding.ts";
import type { ItemSummary, ListQuery, ReadingCopy } from "../library.ts";
import type { ContentType } from "../types/content-type.ts";
import { isQuotation, listBlocks } from "./lines.ts";
import {
  PAGE_ITEMS,
  PAGE_QUOTES,
  pageAddress,
  pagingOf,
  rangeLine,
  readPageNumber,
} from "./paging.ts";
import type { Anchor, Block, Inline, PageRequest, PageView, Paging } from "./view.ts";

/** Longer lists have no letter index, which takes a scan of the whole list. */
const LETTERED_ITEMS_MAX = 2000;
const LIST_LIMIT = 100;

/** A page of a type's list; null if there is no such page. */
export function listingPage(
  reading: ReadingCopy,
  type: ContentType,
  request: PageRequest,
): PageView | null {
  const path = type.listPath;
  if (path === null) return null;
  const limit = isQuotation(reading.types(), type.name) ? PAGE_QUOTES : PAGE_ITEMS;
  const page = readPageNumber(request.parameter("page"));
  const offset = (page - 1) * limit;
  const query = listOf(type);
  const { items, total } = reading.list({ ...query, limit, offset });
  const pages = Math.max(1, Math.ceil(total / limit));
  if (page > pages) return null;
  const paging = pagingOf(page, pages, (n) => pageAddress(path, n));
  const isLettered = isOrderedByName(type) && total > limit / 2 && total <= LETTERED_ITEMS_MAX;
  return {
    path,
    query: page === 1 ? "" : `?page=${page}`,
    title: type.plural,
    description: type.description,
    language: reading.site().language,
    updatedAt: reading.updatedAt(),
    isIndexed: true,
    subject: { kind: "listing", type, items, offset, total },
    trail: [{ text: "Home", to: "/" }],
    translations: [],
    blocks: [
      { kind: "lead", text: type.description },
      { kind: "paragraph", line: countLine(type, paging, { offset, shown: items.length, total }) },
      ...(isLettered ? [lettersBlock(reading, type, { query, limit, path })] : []),
      ...(isLettered ? letteredBlocks(reading, type, items) : listBlocks(items, reading)),
      ...(paging === null ? [] : [{ kind: "paging", paging } satisfies Block]),
    ],
  };
}

function listOf(type: ContentType): Omit<ListQuery, "limit"> {
  return { types: [type.name], filters: [], links: [], sort: type.defaultSort, descending: false };
}

function countLine(
  type: ContentType,
  paging: Paging | null,
  part: { offset: number; shown: number; total: number },
): Inline[] {
  const plural = type.plural.toLowerCase();
  if (part.total === 0) return [`No ${plural} have been published yet.`];
  const count = `${part.total} ${part.total === 1 ? type.label.toLowerCase() : plural}`;
  return paging === null ? [`${count}.`] : [`${count}: `, ...rangeLine(paging, part)];
}

function isOrderedByName(type: ContentType): boolean {
  return type.defaultSort === "title" || type.fields[type.defaultSort]?.kind === "text";
}

/** The index letter of a name: its first letter without accents, or `#`. */
function letterOf(type: ContentType, item: ItemSummary): string {
  const sortName = item.fields[type.defaultSort];
  const name = typeof sortName === "string" && sortName !== "" ? sortName : item.title;
  const letter = /\p{L}|\p{N}/u.exec(foldText(name))?.[0] ?? "#";
  return /\p{L}/u.test(letter) ? letter.toUpperCase() : "#";
}

function letterId(letter: string): string {
  return letter === "#" ? "letter-other" : `letter-${letter}`;
}

function letteredBlocks(reading: ReadingCopy, type: ContentType, items: readonly ItemSummary[]) {
  const runs: { letter: string; items: ItemSummary[] }[] = [];
  for (const item of items) {
    const letter = letterOf(type, item);
    const run = runs.find((known) => known.letter === letter);
    if (run === undefined) runs.push({ letter, items: [item] });
    else run.items.push(item);
  }
  return runs.flatMap((run): Block[] => [
    { kind: "heading", text: run.letter, id: letterId(run.letter) },
    ...listBlocks(run.items, reading),
  ]);
}

/** Links from each letter to the page on which it begins. */
function lettersBlock(
  reading: ReadingCopy,
  type: ContentType,
  { query, limit, path }: { query: Omit<ListQuery, "limit">; limit: number; path: string },
): Block {
  const letters = new Map<string, Anchor>();
  let offset = 0;
  let items: ItemSummary[];
  do {
    ({ items } = reading.list({ ...query, limit: LIST_LIMIT, offset }));
    for (const [at, item] of items.entries()) {
      const letter = letterOf(type, item);
      if (letters.has(letter)) continue;
      const page = Math.floor((offset + at) / limit) + 1;
      letters.set(letter, { text: letter, to: `${pageAddress(path, page)}#${letterId(letter)}` });
    }
    offset += items.length;
  } while (items.length === LIST_LIMIT);
  return { kind: "letters", letters: [...letters.values()] };
}
