import { markdownPath } from "../../content/addresses/addresses.ts";
import { SEARCH_PATH } from "../../content/addresses/paths.ts";
import { redirectedAddressWithQuery } from "../../content/addresses/redirected-query.ts";
import { withFormOpeningTime } from "../../content/pages/built-in/contact-page.ts";
import { SUBJECT_PAGE_FIELD } from "../../content/pages/contact-forms.ts";
import { findPage, type PageLookup } from "../../content/pages/find-page.ts";
import { searchAddressForFilteredList } from "../../content/pages/narrowing/filtered-list-address.ts";
import { NO_PARAMETERS, parsePageNumber } from "../../content/pages/paging.ts";
import type { PageRequest, PageView } from "../../content/pages/view.ts";
import { splitEditionPrefix } from "../../content/site/editions.ts";
import { dayInZone } from "../../content/site/time-zone.ts";
import { choosePageVariant } from "../accept.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { EncodableResponse, type RenderedResponse } from "../encodable-response.ts";
import { type HttpRequest, type HttpResponse, responseWithContentLength } from "../exchange.ts";
import { NO_STORE_CACHE_CONTROL, PUBLIC_HEADERS } from "../public-headers.ts";
import { encodePath } from "./address.ts";
import { signFormTime } from "./form-time.ts";
import { missingPageResponse } from "./missing-page.ts";
import { type PageFormat, renderPageResponse } from "./page-response.ts";

/** Pages that are never cached, because they depend on free text from visitors. */
const UNCACHED_PATHS: ReadonlySet<string> = new Set([SEARCH_PATH]);

const NO_QUERY = new URLSearchParams();

/**
 * Seconds for which shared caches keep pages that change daily. Near midnight, shared caches must
 * revalidate these pages.
 */
const SHARED_SECONDS = 300;
const DAILY_CACHING = `public, max-age=0, s-maxage=${SHARED_SECONDS}`;
const ENDING_DAY_CACHING = "public, max-age=0, no-cache";
/**
 * Pseudo parameter that adds the day to a page's cache key. No page reads a query parameter of this
 * name.
 */
const DAY_PARAMETER = "\u0000day";

export interface PageAddress {
  /** Decoded, without `.md`. */
  path: string;
  isMarkdownPath: boolean;
  query: URLSearchParams;
}

/** Answers with a page in the requested representation, a redirect, or an error page. */
export async function pageResponse(
  request: HttpRequest,
  address: PageAddress,
  parts: HttpDependencies,
): Promise<HttpResponse> {
  const format = address.isMarkdownPath ? "markdown" : pageFormatFor(request);
  const answer = await answerIn(format, request, { address, parts });
  if (request.method === "HEAD") return answer;
  if (answer.status === 404) parts.noteView(`missing ${address.path}`);
  else if (answer.status === 200 || answer.status === 304)
    parts.noteView(`${format} ${address.path}`);
  return answer;
}

/** Answers in one representation. `format` is null if the client accepts none. */
async function answerIn(
  format: PageFormat | null,
  request: HttpRequest,
  { address, parts }: { address: PageAddress; parts: HttpDependencies },
): Promise<HttpResponse> {
  const { path, isMarkdownPath } = address;
  const formerAddress = redirectedAddressWithQuery(parts.reading, address);
  if (formerAddress !== null) {
    const answer = await findPage(parts.reading, formerAddress, NO_PARAMETERS);
    if (answer.kind !== "page") {
      return await answerWithoutPage(request, answer, {
        isMarkdownPath: false,
        query: NO_QUERY,
        parts,
      });
    }
  }
  const narrowed = searchAddressForFilteredList(parts.reading, address);
  if (narrowed !== null) return redirectFilteredList(narrowed, isMarkdownPath);
  const isCacheable = !UNCACHED_PATHS.has(splitEditionPrefix(parts.reading, path).path);
  const query = new TrackedQuery(address.query, {
    interpret: isCacheable ? pageNumber : unchangedText,
    dayAfter: (seconds) => {
      const time = new Date(parts.now().getTime() + seconds * 1000);
      return dayInZone(parts.reading.site().timeZone, time.toISOString());
    },
  });
  const selection = { address: `${format} ${path}`, query };
  const version = parts.reading.version();
  const cached = isCacheable ? parts.answers.answerCached(request, selection) : null;
  if (cached !== null) return await cached;

  const answer = await findPage(parts.reading, path, query);
  if (answer.kind !== "page") {
    return await answerWithoutPage(request, answer, {
      isMarkdownPath,
      query: address.query,
      parts,
    });
  }
  if (format === null) return notAcceptable(path);
  if (format === "html" && hasForm(answer.view))
    return await formResponse(request, answer.view, { parts, query: address.query });
  const response = withExpiry(renderPageResponse(answer.view, format, parts), { query, format });
  if (!isCacheable) return await new EncodableResponse(response).respond(request);
  const parameters = query.read();
  return await parts.answers.storeAndAnswer(request, selection, { response, version, parameters });
}

async function answerWithoutPage(
  request: HttpRequest,
  answer: Exclude<PageLookup, { kind: "page" }>,
  {
    isMarkdownPath,
    query,
    parts,
  }: { isMarkdownPath: boolean; query: URLSearchParams; parts: HttpDependencies },
): Promise<HttpResponse> {
  if (answer.kind === "missing")
    return await missingPageResponse(request, { ...answer, isMarkdownPath }, parts);
  return redirectForLookup(answer, { isMarkdownPath, query });
}

/**
 * Redirects (308) to another page with the visitor's query, or to another site without the query.
 */
export function redirectForLookup(
  answer: Extract<PageLookup, { kind: "moved" | "elsewhere" }>,
  { isMarkdownPath, query }: Pick<PageAddress, "isMarkdownPath" | "query">,
): HttpResponse {
  if (answer.kind === "elsewhere") return permanentRedirect(answer.url);
  return permanentPathRedirect(isMarkdownPath ? markdownPath(answer.to) : answer.to, query);
}

function withExpiry(
  response: RenderedResponse,
  { query, format }: { query: TrackedQuery; format: PageFormat },
): RenderedResponse {
  if (!query.dependsOnDay() || format === "negotiated") return response;
  const caching = query.isDayEnding() ? ENDING_DAY_CACHING : DAILY_CACHING;
  return { ...response, headers: { ...response.headers, "Cache-Control": caching } };
}

function hasForm({ blocks }: PageView): boolean {
  return blocks.some(({ kind }) => kind === "form");
}

/**
 * Answers with a form page, rendered for each request because the form contains the time of the request.
 */
async function formResponse(
  request: HttpRequest,
  view: PageView,
  { parts, query }: { parts: HttpDependencies; query: URLSearchParams },
): Promise<HttpResponse> {
  const opened = signFormTime(parts.visitorForms.formSecret, parts.now());
  const response = renderPageResponse(
    withFormOpeningTime(view, opened, query.get(SUBJECT_PAGE_FIELD) ?? ""),
    "html",
    parts,
  );
  const headers = { ...response.headers, "Cache-Control": "private, no-cache" };
  return await new EncodableResponse({ ...response, headers }).respond(request);
}

function pageFormatFor(request: HttpRequest): PageFormat | null {
  const variant = choosePageVariant(request.header("accept"));
  return variant === "markdown" ? "negotiated" : variant;
}

interface QueryReading {
  /** Converts a parameter's text to the value to use; undefined: the parameter counts as absent. */
  interpret: (text: string) => string | undefined;
  /** The date this many seconds from now in the site's time zone, as `YYYY-MM-DD`. */
  dayAfter: (seconds: number) => string;
}

/** A query that records which of its parameters are read. */
class TrackedQuery implements PageRequest {
  readonly #query: URLSearchParams;
  readonly #reading: QueryReading;
  readonly #read = new Set<string>();

  constructor(query: URLSearchParams, reading: QueryReading) {
    this.#query = query;
    this.#reading = reading;
  }

  today(): string {
    this.#read.add(DAY_PARAMETER);
    return this.#reading.dayAfter(0);
  }

  dependsOnDay(): boolean {
    return this.#read.has(DAY_PARAMETER);
  }

  /** Whether the site's day ends before shared caches would revalidate an answer sent now. */
  isDayEnding(): boolean {
    return this.#reading.dayAfter(0) !== this.#reading.dayAfter(SHARED_SECONDS);
  }

  /**
   * The value of a parameter. For {@link DAY_PARAMETER}: today and the day on which shared caches
   * revalidate. With both in the cache key, yesterday's page is never served.
   */
  parameter(name: string): string | undefined {
    this.#read.add(name);
    if (name === DAY_PARAMETER)
      return `${this.#reading.dayAfter(0)} ${this.#reading.dayAfter(SHARED_SECONDS)}`;
    const text = this.#query.get(name);
    return text === null ? undefined : this.#reading.interpret(text);
  }

  read(): string[] {
    return [...this.#read];
  }
}

/** Returns undefined for any spelling of page 1, so that page 1 gets no second cache entry. */
function pageNumber(text: string): string | undefined {
  return parsePageNumber(text) === 1 ? undefined : text;
}

function unchangedText(text: string): string {
  return text;
}

/** 308 to another path of this site, keeping the query. */
export function permanentPathRedirect(path: string, query: URLSearchParams): HttpResponse {
  const search = query.size === 0 ? "" : `?${query}`;
  return permanentRedirect(encodePath(path) + search);
}

/**
 * Redirects a filtered or sorted list to the search page. Uses 307 instead of 308, because the list
 * may change.
 */
export function redirectFilteredList(
  { path, query }: { path: string; query: URLSearchParams },
  isMarkdownPath: boolean,
): HttpResponse {
  const to = isMarkdownPath ? markdownPath(path) : path;
  const headers = {
    ...PUBLIC_HEADERS,
    Location: `${encodePath(to)}?${query}`,
    "Cache-Control": "public, max-age=300",
    "X-Robots-Tag": "noindex",
  };
  return { status: 307, headers, body: null };
}

function permanentRedirect(Location: string): HttpResponse {
  const headers = { ...PUBLIC_HEADERS, Location, "Cache-Control": "public, max-age=300" };
  return { status: 308, headers, body: null };
}

function notAcceptable(path: string): HttpResponse {
  const body = `This page is served as:\ntext/html\ntext/markdown (also at ${encodePath(markdownPath(path))})\n`;
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": NO_STORE_CACHE_CONTROL,
    Vary: "Accept",
  };
  return responseWithContentLength(406, headers, body);
}
