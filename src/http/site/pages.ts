import { markdownPath } from "../../content/addresses.ts";
import { withOpenedForms } from "../../content/pages/contact-page.ts";
import type { PageRequest, PageView } from "../../content/pages/view.ts";
import { findPage } from "../../content/pages.ts";
import { chooseVariant } from "../accept.ts";
import type { HttpParts } from "../parts.ts";
import { NEVER_SHARED, PUBLIC_HEADERS } from "../public-headers.ts";
import { KeptReply, type ReplyCache } from "../reply.ts";
import { encodePath } from "./address.ts";
import { signTime } from "./form-time.ts";
import { missingResponse } from "./missing-reply.ts";
import { type Form, pageReply } from "./page-reply.ts";

/** Pages that answer any words of a visitor: kept for nobody. */
const ASKING_PATHS: ReadonlySet<string> = new Set(["/search"]);

/** More lists than anybody leafs through on one page. */
const LISTS_LEAFED_MAX = 4;

export interface PageAddress {
  /** Decoded, without `.md`. */
  path: string;
  isTwin: boolean;
  query: URLSearchParams;
}

/** A page in the form the client wants, its new address, or what to do without it. */
export async function pageResponse(
  request: Request,
  address: PageAddress,
  { parts, cache }: { parts: HttpParts; cache: ReplyCache },
): Promise<Response> {
  const { path, isTwin } = address;
  const form = isTwin ? "twin" : formFor(request);
  const isKept = !ASKING_PATHS.has(path);
  const { key, question } = isKept ? leafing(address.query) : asking(address.query);
  const made = { key: `${form} ${path} ${key}`, version: parts.reading.version() };
  const again = isKept ? cache.again(request, made.key) : null;
  if (again !== null) return await again;

  const answer = await findPage(parts.reading, path, question);
  switch (answer.kind) {
    case "moved":
      return movedResponse(isTwin ? markdownPath(answer.to) : answer.to, address.query);
    case "missing":
      return await missingResponse(request, { ...answer, isTwin }, parts);
    case "page": {
      if (form === null) return notAcceptable(path);
      if (form === "html" && hasForm(answer.view))
        return await formResponse(request, answer.view, parts);
      const reply = pageReply(answer.view, form, parts);
      return isKept
        ? await cache.first(request, reply, made)
        : await new KeptReply(reply).respond(request);
    }
  }
}

function hasForm({ blocks }: PageView): boolean {
  return blocks.some(({ kind }) => kind === "form");
}

/** Not to be shared, as a form tells when it was opened; and made anew each time. */
async function formResponse(request: Request, view: PageView, parts: HttpParts): Promise<Response> {
  const opened = signTime(parts.reception.formSecret, parts.now());
  const reply = pageReply(withOpenedForms(view, opened), "html", parts);
  const headers = { ...reply.headers, "Cache-Control": "private, no-cache" };
  return await new KeptReply({ ...reply, headers }).respond(request);
}

function formFor(request: Request): Form | null {
  const variant = chooseVariant(request.headers.get("accept") ?? undefined);
  return variant === "markdown" ? "negotiated" : variant;
}

/**
 * The page numbers in a query, by the name of the list they leaf through: all that the pages of the
 * site ask, so that nothing else makes two pages of one.
 */
function leafing(query: URLSearchParams): { key: string; question: PageRequest } {
  const stated = [...query].filter(
    ([name, value]) => /^[a-z_]{1,40}$/.test(name) && /^\d{1,15}$/.test(value),
  );
  const numbers = new Map(stated.sort().slice(0, LISTS_LEAFED_MAX));
  return {
    get key() {
      return String(new URLSearchParams([...numbers]));
    },
    question: { parameter: (name) => numbers.get(name) },
  };
}

function asking(query: URLSearchParams): { key: string; question: PageRequest } {
  return { key: "", question: { parameter: (name) => query.get(name) ?? undefined } };
}

/** 308 to another address of this site, the query kept. */
export function movedResponse(path: string, query: URLSearchParams): Response {
  const search = query.size === 0 ? "" : `?${query}`;
  return new Response(null, {
    status: 308,
    headers: {
      ...PUBLIC_HEADERS,
      Location: encodePath(path) + search,
      "Cache-Control": "public, max-age=300",
    },
  });
}

function notAcceptable(path: string): Response {
  const body = `This page is served as:\ntext/html\ntext/markdown (also at ${encodePath(markdownPath(path))})\n`;
  return new Response(body, {
    status: 406,
    headers: {
      ...PUBLIC_HEADERS,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": NEVER_SHARED,
      Vary: "Accept",
    },
  });
}
