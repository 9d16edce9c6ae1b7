import { AppError } from "../../errors.ts";
import { cutAtWord } from "../../search/language/folding.ts";
import type { ReadingCopy } from "../library.ts";
import { filterNames, nameAmong, readFilters, requireTypes } from "../lists/filters.ts";
import { checkedLanguage } from "../lists/listing.ts";
import { singularOrPlural } from "../lists/name-forms.ts";
import { sectionsOf } from "../lists/sections.ts";
import { countBlocks, filteredListBlocks } from "./filtered-list.ts";
import { readPageNumber } from "./paging.ts";
import { HITS_PER_PAGE, resultBlocks } from "./search-results.ts";
import type { Block, PageRequest, PageView } from "./view.ts";

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
  const isVerbatim = (request.parameter("verbatim") ?? "") !== "";
  const narrowing = narrowingOf(reading, chosen, request);
  const asked = { text, chosen, page, countBy, isVerbatim, narrowing };
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
  /** Searches what was typed, without corrections. */
  isVerbatim: boolean;
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
      ...(asked.isVerbatim ? { isVerbatim: true } : {}),
    });
    const { text, chosen, page } = asked;
    const addressOf = ({ page: other = 1, ...change }: Partial<Asked>) =>
      searchAddress({ ...asked, ...change }, other);
    return resultBlocks(reading, { text, chosen, page, addressOf }, found);
  } catch (error) {
    if (error instanceof AppError && (error.code === "invalid" || error.code === "not_found")) {
      return [{ kind: "paragraph", line: [`${error.message}.`] }];
    }
    throw error;
  }
}

function searchAddress(
  { text, chosen, countBy, isVerbatim, narrowing }: Asked,
  page: number,
): string {
  const parameters = new URLSearchParams(text === "" ? {} : { q: text });
  if (chosen !== null) parameters.set("type", chosen);
  if (countBy !== null) parameters.set("count_by", countBy);
  if (isVerbatim) parameters.set("verbatim", "1");
  for (const [name, value] of Object.entries(narrowing)) parameters.set(name, value);
  if (page > 1) parameters.set("page", String(page));
  return `/search?${parameters}`;
}
