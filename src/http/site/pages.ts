import { markdownPath } from "../../content/addresses/addresses.ts";
import { withOpenedForms } from "../../content/pages/contact-page.ts";
import { findPage } from "../../content/pages/find-page.ts";
import { readPageNumber } from "../../content/pages/paging.ts";
import type { PageRequest, PageView } from "../../content/pages/view.ts";
import { chooseVariant } from "../accept.ts";
import { type HttpAnswer, type HttpRequest, wholeAnswer } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { NEVER_SHARED, PUBLIC_HEADERS } from "../public-headers.ts";
import { CachedReply } from "../reply.ts";
import { encodePath } from "./address.ts";
import { signTime } from "./form-time.ts";
import { missingAnswer } from "./missing-reply.ts";
import { type PageForm, pageReply } from "./page-reply.ts";

/** Pages that depend on free text from visitors are never cached. */
const UNCACHED_PATHS: ReadonlySet<string> = new Set(["/search"]);

export interface PageAddress {
  /** Decoded, without `.md`. */
  path: string;
  isTwin: boolean;
  query: URLSearchParams;
}

/** Answers with a page in the requested representation, a redirect, or an error page. */
export async function pageAnswer(
  request: HttpRequest,
  address: PageAddress,
  parts: HttpParts,
): Promise<HttpAnswer> {
  const { path, isTwin } = address;
  const form = isTwin ? "twin" : pageFormFor(request);
  const isCacheable = !UNCACHED_PATHS.has(path);
  const query = new ReadQuery(address.query, isCacheable ? pageNumber : anyText);
  const selection = { address: `${form} ${path}`, query };
  const version = parts.reading.version();
  const cached = isCacheable ? parts.answers.answerCached(request, selection) : null;
  if (cached !== null) return await cached;

  const answer = await findPage(parts.reading, path, query);
  switch (answer.kind) {
    case "moved":
      return movedAnswer(isTwin ? markdownPath(answer.to) : answer.to, address.query);
    case "missing":
      return await missingAnswer(request, { ...answer, isTwin }, parts);
    case "page": {
      if (form === null) return notAcceptable(path);
      if (form === "html" && hasForm(answer.view))
        return await formAnswer(request, answer.view, parts);
      const reply = pageReply(answer.view, form, parts);
      if (!isCacheable) return await new CachedReply(reply).respond(request);
      const parameters = query.read();
      return await parts.answers.storeAndAnswer(request, selection, { reply, version, parameters });
    }
  }
}

function hasForm({ blocks }: PageView): boolean {
  return blocks.some(({ kind }) => kind === "form");
}

/** Private and rendered for each request, since a form contains the time it was opened. */
async function formAnswer(
  request: HttpRequest,
  view: PageView,
  parts: HttpParts,
): Promise<HttpAnswer> {
  const opened = signTime(parts.visitorForms.formSecret, parts.now());
  const reply = pageReply(withOpenedForms(view, opened), "html", parts);
  const headers = { ...reply.headers, "Cache-Control": "private, no-cache" };
  return await new CachedReply({ ...reply, headers }).respond(request);
}

function pageFormFor(request: HttpRequest): PageForm | null {
  const variant = chooseVariant(request.header("accept"));
  return variant === "markdown" ? "negotiated" : variant;
}

/** A query that records which parameters were read. */
class ReadQuery implements PageRequest {
  readonly #query: URLSearchParams;
  readonly #interpret: (text: string) => string | undefined;
  readonly #read = new Set<string>();

  constructor(query: URLSearchParams, interpret: (text: string) => string | undefined) {
    this.#query = query;
    this.#interpret = interpret;
  }

  parameter(name: string): string | undefined {
    this.#read.add(name);
    const text = this.#query.get(name);
    return text === null ? undefined : this.#interpret(text);
  }

  read(): string[] {
    return [...this.#read];
  }
}

/** Treats any spelling of the first page as absent, so that it gets no cache entry of its own. */
function pageNumber(text: string): string | undefined {
  return readPageNumber(text) === 1 ? undefined : text;
}

function anyText(text: string): string {
  return text;
}

/** 308 to another path of this site, keeping the query. */
export function movedAnswer(path: string, query: URLSearchParams): HttpAnswer {
  const search = query.size === 0 ? "" : `?${query}`;
  const Location = encodePath(path) + search;
  const headers = { ...PUBLIC_HEADERS, Location, "Cache-Control": "public, max-age=300" };
  return { status: 308, headers, body: null };
}

function notAcceptable(path: string): HttpAnswer {
  const body = `This page is served as:\ntext/html\ntext/markdown (also at ${encodePath(markdownPath(path))})\n`;
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": NEVER_SHARED,
    Vary: "Accept",
  };
  return wholeAnswer(406, headers, body);
}
