import { AppError } from "../../errors.ts";
import { cutAtWord } from "../../search/language/folding.ts";
import { ALL_LANGUAGES_VALUE, SEARCH_PATH } from "../addresses/paths.ts";
import type { ReadingCopy, SearchQuery } from "../library.ts";
import { findMatchingName, parseFilters } from "../lists/filters.ts";
import { formatListRequestError, invalidFilterError } from "../lists/invalid-list-request.ts";
import { requireLanguageTag } from "../lists/listing.ts";
import { typesWithItems } from "../lists/sections.ts";
import { type Edition, editionPath } from "../site/editions.ts";
import { buildActiveFilterBlocks, buildFacetBlocks } from "./narrowing/facets.ts";
import {
  buildFilteredListBlocks,
  buildMatchCountBlocks,
  LAST_LIST_PAGE,
} from "./narrowing/filtered-list.ts";
import { parseFilterParameters, readRequestedFilters } from "./narrowing/search-parameters.ts";
import { parsePageNumber } from "./paging.ts";
import { buildSearchResultBlocks, HITS_PER_PAGE, LAST_RESULT_PAGE } from "./search-results.ts";
import type { Block, PageRequest, PageView } from "./view.ts";

const TITLE_CHARACTERS_MAX = 100;

/**
 * The search page: the form, and results if there is a query text. Parameters filter by `type`,
 * `language` and every list filter, such as `topics=time`, `verification=verified` or `year=49`.
 * Without a text, the page lists all items that pass the filters.
 */
export async function buildSearchPage(
  reading: ReadingCopy,
  edition: Edition,
  request: PageRequest,
): Promise<PageView> {
  const text = (request.parameter("q") ?? "").trim();
  const typeName = request.parameter("type")?.trim() ?? "";
  const chosen = findMatchingName([...reading.types().keys()], typeName) ?? null;
  const page = Math.min(
    parsePageNumber(request.parameter("page")),
    text === "" ? LAST_LIST_PAGE : LAST_RESULT_PAGE,
  );
  const { texts } = edition;
  const path = editionPath(edition, SEARCH_PATH);
  const types = typesWithItems(reading, edition);
  const countBy = request.parameter("count_by") ?? null;
  const isVerbatim = (request.parameter("verbatim") ?? "") !== "";
  const filterParameters = readRequestedFilters(reading, chosen, request);
  const sort = text === "" ? (request.parameter("sort")?.trim() ?? "") : "";
  const search = {
    path,
    text,
    typeName,
    chosen,
    page,
    countBy,
    isVerbatim,
    filterParameters,
    sort,
  };
  const title =
    text === "" ? texts.search.title : texts.search.titleFor(cutAtWord(text, TITLE_CHARACTERS_MAX));
  const hidden = Object.entries(filterParameters).map(([name, value]) => ({ name, value }));
  const isList =
    text === "" &&
    (countBy !== null || typeName !== "" || Object.keys(search.filterParameters).length > 0);
  const found = text === "" && !isList ? [] : await foundBlocks(reading, search, edition);
  return {
    path,
    query: found.length === 0 ? "" : searchAddress(search, page).slice(path.length),
    title,
    description: texts.search.description(edition.site.name),
    language: edition.language,
    textLanguage: edition.language,
    updatedAt: null,
    isIndexed: false,
    subject: { kind: "other", path, title },
    trail: [{ text: texts.frame.home, to: editionPath(edition, "/") }],
    translations: [],
    blocks: [{ kind: "search", action: path, text, types, chosen, hidden }, ...found],
  };
}

interface SearchRequest {
  /** Path of the edition's search page. */
  path: string;
  /**
   * The property by which the page groups and counts matches; null if the page lists the matches.
   */
  countBy: string | null;
  text: string;
  /** The requested type as the address writes it; empty: all types. */
  typeName: string;
  chosen: string | null;
  page: number;
  /** Whether to search for the text exactly as typed, without correcting it. */
  isVerbatim: boolean;
  /** Sort order of a list without a search text; empty: the default. */
  sort: string;
  /** The remaining query parameters, which filter the results. */
  filterParameters: Readonly<Record<string, string>>;
}

/**
 * The language filter of a search. By default, the edition's filter applies; visitors can choose one
 * language or all languages.
 */
function languagesToSearch(
  { languageFilter }: Edition,
  language: string | undefined,
): Edition["languageFilter"] {
  if (language === undefined) return languageFilter;
  return language === ALL_LANGUAGES_VALUE ? {} : { language: requireLanguageTag(language) };
}

async function foundBlocks(
  reading: ReadingCopy,
  search: SearchRequest,
  edition: Edition,
): Promise<Block[]> {
  try {
    requireKnownType(reading, search);
    const types = search.chosen === null ? [] : [search.chosen];
    const query = filterQuery(reading, search, edition);
    if (search.countBy !== null) {
      const counted = { text: search.text, types, ...query };
      return await buildMatchCountBlocks(reading, counted, { edition, countBy: search.countBy });
    }
    if (search.text === "") {
      const request = {
        types,
        filters: parseFilterParameters(reading, search.chosen, search.filterParameters),
        ...languagesToSearch(edition, search.filterParameters["language"]),
        ...(search.sort === "" ? {} : { sort: search.sort }),
      };
      const listed = buildFilteredListBlocks(reading, request, {
        edition,
        page: search.page,
        addressOf: (page) => searchAddress(search, page),
      });
      return [...(await filterBlocks(reading, search, { edition, query })), ...listed];
    }
    const found = await reading.search({
      text: search.text,
      types,
      ...query,
      limit: HITS_PER_PAGE,
      offset: (search.page - 1) * HITS_PER_PAGE,
      ...(search.isVerbatim ? { isVerbatim: true } : {}),
    });
    const { text, chosen, page } = search;
    const addressOf = ({ page: other = 1, ...change }: Partial<SearchRequest>) =>
      searchAddress({ ...search, ...change }, other);
    return [
      ...(await filterBlocks(reading, search, { edition, query })),
      ...buildSearchResultBlocks(reading, { text, chosen, page, addressOf, edition }, found),
    ];
  } catch (error) {
    if (error instanceof AppError && (error.code === "invalid" || error.code === "not_found")) {
      return [
        { kind: "paragraph", line: [formatListRequestError(error, edition)] },
        ...(await filterBlocks(reading, search, {
          edition,
          query: usableQuery(reading, search, edition),
        })),
      ];
    }
    throw error;
  }
}

type FilterQuery = Pick<SearchQuery, "filters" | "links" | "language" | "notLanguages">;

/** Throws for a type that does not exist, instead of searching all types. */
function requireKnownType(reading: ReadingCopy, { typeName, chosen }: SearchRequest): void {
  if (typeName === "" || chosen !== null) return;
  const names = [...reading.types().keys()].join(", ");
  throw invalidFilterError("type", (texts) =>
    texts.unfit(typeName.slice(0, 80), texts.oneOf(names)),
  );
}

/**
 * The valid filters of a search that is refused because of its other filters. Facets are counted
 * with the valid filters.
 */
function usableQuery(reading: ReadingCopy, search: SearchRequest, edition: Edition): FilterQuery {
  const { language, ...others } = search.filterParameters;
  const types = search.chosen === null ? [] : [search.chosen];
  const usable = Object.entries(parseFilterParameters(reading, search.chosen, others)).map(
    ([name, value]) =>
      unlessRefused(() => parseFilters(reading, types, { given: { [name]: value }, origin: "" })),
  );
  return {
    filters: usable.flatMap((each) => each?.filters ?? []),
    links: usable.flatMap((each) => each?.links ?? []),
    ...(unlessRefused(() => languagesToSearch(edition, language)) ?? edition.languageFilter),
  };
}

function unlessRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function filterQuery(reading: ReadingCopy, search: SearchRequest, edition: Edition): FilterQuery {
  const types = search.chosen === null ? [] : [search.chosen];
  return {
    ...parseFilters(reading, types, {
      given: parseFilterParameters(reading, search.chosen, search.filterParameters),
      origin: "",
    }),
    ...languagesToSearch(edition, search.filterParameters["language"]),
  };
}

/** The facets of a list or search of one type; for all types, only the active filters. */
async function filterBlocks(
  reading: ReadingCopy,
  search: SearchRequest,
  { edition, query: narrowed }: { edition: Edition; query: FilterQuery },
): Promise<Block[]> {
  const { text, filterParameters, path, isVerbatim } = search;
  const keptSearch = {
    ...(text === "" ? {} : { q: text }),
    ...(isVerbatim ? { verbatim: "1" } : {}),
  };
  const type = edition.types.get(search.chosen ?? "");
  if (type === undefined) {
    const types = [...edition.types.values()];
    const request = { edition, types, filterParameters, path, keptParameters: keptSearch };
    return buildActiveFilterBlocks(reading, request);
  }
  const query = {
    text,
    types: [type.name],
    ...narrowed,
    ...(isVerbatim ? { isVerbatim } : {}),
  };
  const keptParameters = {
    ...keptSearch,
    type: type.name,
    ...(search.sort === "" ? {} : { sort: search.sort }),
  };
  const sort = text === "" ? search.sort || type.defaultSort : null;
  return await buildFacetBlocks(reading, {
    edition,
    type,
    query,
    filterParameters,
    sort,
    keptParameters,
    path,
  });
}

function searchAddress(
  { path, text, chosen, countBy, isVerbatim, filterParameters, sort }: SearchRequest,
  page: number,
): string {
  const parameters = new URLSearchParams(text === "" ? {} : { q: text });
  if (chosen !== null) parameters.set("type", chosen);
  if (countBy !== null) parameters.set("count_by", countBy);
  if (isVerbatim) parameters.set("verbatim", "1");
  for (const [name, value] of Object.entries(filterParameters)) parameters.set(name, value);
  if (sort !== "") parameters.set("sort", sort);
  if (page > 1) parameters.set("page", String(page));
  return `${path}?${parameters}`;
}
