import { AppError } from "../../errors.ts";
import { cutAtWord } from "../../search/language/folding.ts";
import { wordsOf } from "../../search/language/words.ts";
import type { ReadingCopy, SearchHit, SearchPage } from "../library.ts";
import { filterNames, nameAmong, readFilters, requireTypes } from "../lists/filters.ts";
import { checkedLanguage } from "../lists/listing.ts";
import { singularOrPlural } from "../lists/name-forms.ts";
import { sectionsOf } from "../lists/sections.ts";
import { countBlocks, filteredListBlocks } from "./filtered-list.ts";
import { cautionText, entryOf } from "./lines.ts";
import { pagingOf, readPageNumber } from "./paging.ts";
import type { Block, Entry, Inline, PageRequest, PageView } from "./view.ts";

const HITS_PER_PAGE = 20;
const TITLE_CHARACTERS_MAX = 100;
const LIST_PAGES_MAX = 5000;
/** `year_from=1800&year_to=1899`. */
const BOUNDS = ["from", "to"];

/**
 * The search page: the form, and results if there is a query. Parameters may filter by `type`,
 * `language` and every list filter, such as `topics=time`, `verification=verified`, `year=49`; without a
 * query they list all that pass.
 */
export async function searchPage(reading: ReadingCopy, request: PageRequest): Promise<PageView> {
  const text = (request.parameter("q") ?? "").trim();
  const chosen = chosenType(reading, request.parameter("type"));
  const page = Math.min(
    readPageNumber(request.parameter("page")),
    text === "" ? LIST_PAGES_MAX : 50,
  );
  const types = sectionsOf(reading).map(({ type }) => type);
  const countBy = request.parameter("count_by") ?? null;
  const asked = { text, chosen, page, countBy, narrowing: narrowingOf(reading, chosen, request) };
  const title = text === "" ? "Search" : `Search: ${cutAtWord(text, TITLE_CHARACTERS_MAX)}`;
  const isList =
    text === "" && (countBy !== null || chosen !== null || Object.keys(asked.narrowing).length > 0);
  const found = text === "" && !isList ? [] : await foundBlocks(reading, asked);
  return {
    path: "/search",
    query: found.length === 0 ? "" : searchAddress(asked, page).slice("/search".length),
    title,
    description: `Search ${reading.site().name}.`,
    language: reading.site().language,
    updatedAt: null,
    isIndexed: false,
    subject: { kind: "other", path: "/search", title },
    trail: [{ text: "Home", to: "/" }],
    translations: [],
    blocks: [{ kind: "search", text, types, chosen }, ...found],
  };
}

function chosenType(reading: ReadingCopy, name: string | undefined): string | null {
  return name === undefined ? null : (nameAmong([...reading.types().keys()], name) ?? null);
}

interface Asked {
  /** The name of what results are counted by instead of listed. */
  countBy: string | null;
  text: string;
  chosen: string | null;
  page: number;
  /** Other query parameters that filter the results. */
  narrowing: Readonly<Record<string, string>>;
}

function narrowingOf(
  reading: ReadingCopy,
  chosen: string | null,
  request: PageRequest,
): Record<string, string> {
  const types = requireTypes(reading.types(), chosen === null ? [] : [chosen]);
  const names = filterNames(reading.types(), types).flatMap((name) => [
    name,
    ...BOUNDS.map((bound) => `${name}_${bound}`),
  ]);
  const given: Record<string, string> = {};
  for (const name of ["language", ...names]) {
    const value = [name, ...singularOrPlural(name)]
      .map((form) => request.parameter(form)?.trim() ?? "")
      .find((each) => each !== "");
    if (value !== undefined) given[name] = asPath(value);
  }
  return given;
}

/** Reduces a URL to its path, because pages do not know their origin. */
function asPath(value: string): string {
  const address = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(value)
    ? URL.parse(value, "https://x")
    : null;
  return address === null ? value.replace(/^\/+/, "/") : address.pathname;
}

/** In the form of {@link readFilters}: `year_from` is the lower bound of `year`. */
function filtersIn({ narrowing }: Asked): Record<string, unknown> {
  const { language: _, ...given } = narrowing;
  const filters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const bound = BOUNDS.find((end) => name.endsWith(`_${end}`));
    if (bound === undefined) filters[name] = value;
    else {
      const field = name.slice(0, -bound.length - 1);
      const range = filters[field];
      filters[field] = { ...(typeof range === "object" ? range : {}), [bound]: value };
    }
  }
  return filters;
}

async function foundBlocks(reading: ReadingCopy, asked: Asked): Promise<Block[]> {
  try {
    const types = asked.chosen === null ? [] : [asked.chosen];
    const { language } = asked.narrowing;
    const filters = filtersIn(asked);
    if (asked.countBy !== null) {
      const query = {
        text: asked.text,
        types,
        ...readFilters(reading, types, { given: filters, origin: "" }),
      };
      const spoken = language === undefined ? {} : { language: checkedLanguage(language) };
      return await countBlocks(reading, { ...query, ...spoken }, asked.countBy);
    }
    if (asked.text === "") {
      const request = { types, filters, language };
      return filteredListBlocks(reading, request, {
        page: asked.page,
        addressOf: (page) => searchAddress(asked, page),
      });
    }
    const found = await reading.search({
      text: asked.text,
      types,
      ...readFilters(reading, types, { given: filters, origin: "" }),
      ...(language === undefined ? {} : { language: checkedLanguage(language) }),
      limit: HITS_PER_PAGE,
      offset: (asked.page - 1) * HITS_PER_PAGE,
    });
    return resultBlocks(reading, asked, found);
  } catch (error) {
    if (error instanceof AppError && (error.code === "invalid" || error.code === "not_found")) {
      return [{ kind: "paragraph", line: [`${error.message}.`] }];
    }
    throw error;
  }
}

function resultBlocks(reading: ReadingCopy, asked: Asked, found: SearchPage): Block[] {
  const { hits, total, totalIsExact, hasMore, correctedText } = found;
  const count = `${totalIsExact ? "" : "More than "}${total} ${total === 1 ? "result" : "results"}`;
  const searched = correctedText ?? asked.text;
  const pages = hasMore ? asked.page + 1 : asked.page;
  const paging = pagingOf(asked.page, Math.max(pages, Math.ceil(total / HITS_PER_PAGE)), (page) =>
    searchAddress(asked, page),
  );
  const blocks: Block[] = [
    {
      kind: "paragraph",
      line: [
        `${count} for “${searched}”.`,
        ...(correctedText === null ? [] : [notFound(asked.text)]),
      ],
    },
  ];
  if (hits.length === 0) return [...blocks, ...adviceBlocks(reading)];
  return [
    ...blocks,
    { kind: "entries", entries: hits.map((hit) => hitEntry(reading, hit)) },
    ...(paging === null ? [] : [{ kind: "paging", paging } satisfies Block]),
  ];
}

/** A note for corrected queries. Of several words, only one may have been misspelled. */
function notFound(text: string): string {
  const part = wordsOf(text).length > 1 ? "a part of " : "";
  return ` Nothing was found for ${part}“${text}”.`;
}

function hitEntry(reading: ReadingCopy, hit: SearchHit): Entry {
  const types = reading.types();
  const label = types.get(hit.type)?.label ?? hit.type;
  const { line } = entryOf(hit, types);
  const titleEnd = cautionText(hit, types) === null ? 1 : 2;
  const labelled = [...line.slice(0, titleEnd), ` · ${label}`, ...line.slice(titleEnd)];
  return { line: labelled, note: snippetLine(hit.snippet) };
}

/** Matches are enclosed in U+0002 and U+0003. */
function snippetLine(snippet: string): Inline[] {
  if (snippet === "") return [];
  return snippet.split("\u0002").flatMap((piece, at): Inline[] => {
    if (at === 0) return [piece];
    const [match = "", rest = ""] = piece.split("\u0003");
    return [{ match }, rest];
  });
}

function adviceBlocks(reading: ReadingCopy): Block[] {
  const sections = sectionsOf(reading).flatMap(({ type, listPath }, at): Inline[] => [
    ...(at === 0 ? [] : [", "]),
    { text: type.plural, to: listPath },
  ]);
  return [
    {
      kind: "paragraph",
      line: [
        "Try fewer or other words",
        ...(sections.length === 0 ? ["."] : [", or browse: ", ...sections, "."]),
      ],
    },
  ];
}

function searchAddress({ text, chosen, countBy, narrowing }: Asked, page: number): string {
  const parameters = new URLSearchParams(text === "" ? {} : { q: text });
  if (chosen !== null) parameters.set("type", chosen);
  if (countBy !== null) parameters.set("count_by", countBy);
  for (const [name, value] of Object.entries(narrowing)) parameters.set(name, value);
  if (page > 1) parameters.set("page", String(page));
  return `/search?${parameters}`;
}
