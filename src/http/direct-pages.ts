import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { carriesCredential } from "../access/credentials.ts";
import { Kept } from "../kept.ts";
import { chooseVariant } from "./accept.ts";
import { chooseEncoding } from "./encoding.ts";
import { noteAnswer, securityHeaders } from "./guards.ts";
import { type Answer, keyOf } from "./hot-path.ts";
import type { HttpParts } from "./parts.ts";
import { fittedHeaders, matches, tagOf } from "./reply.ts";
import { pageAt } from "./site/address.ts";
import { itemReply } from "./site/item-reply.ts";
import type { Form, PageReply } from "./site/page-reply.ts";
import { leafing } from "./site/pages.ts";

/** Addresses that can be written in one way only, which the paths of most items are. */
const PLAIN_TARGET = /^(\/[\w-]+(?:\/[\w-]+)*(?:\.md)?)(?:\?([\w=&-]*))?$/;
const TARGET_CHARACTERS_MAX = 2000;

const FORMS_KEPT = 1000;
const ASKED_MAX = 20_000;
const NO_QUERY = new URLSearchParams();

/**
 * Pages of items straight from the reading copy: what the framework does for a request costs more
 * than joining a page. Takes what is plainly a page of an item and can be sent as it is, and leaves
 * all else to the app, which answers the same.
 */
export function openPagesDirectly(parts: HttpParts) {
  const { reading, log, hotPath, answered } = parts;
  const security = Object.entries(securityHeaders(parts.origin)).flat();
  const formFor = rememberForms();
  const isAskedAgain = rememberQuestions();
  const answerTo = (request: IncomingMessage): Answer | null => {
    const asked = askedPage(request, formFor);
    const page = asked === null ? null : pageFor(parts, asked);
    return page === null || !isSentAsItIs(request, page.body.length)
      ? null
      : answerOf(page, security);
  };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const started = performance.now();
    const version = reading.version();
    const answer = answerTo(request);
    if (answer === null) return false;
    const { method = "", url = "", headers } = request;
    const requestId = randomUUID();
    const held = headers["if-none-match"];
    const status = held !== undefined && matches(held, answer.etag) ? 304 : 200;
    const told = status === 304 ? answer.headersUnchanged : answer.headers;
    response.writeHead(status, [...told, "X-Request-Id", requestId]);
    response.end(status === 304 ? undefined : answer.bytes);
    if (!url.includes("?") || isAskedAgain(request)) hotPath?.keep(request, answer, version);
    answered("page", status, performance.now() - started);
    const path = url.split("?", 1)[0] ?? url;
    noteAnswer(log, { requestId, method, path, status, started });
    return true;
  };
}

interface AskedPage {
  path: string;
  form: Form;
  search: string;
}

/** Null: this is no plain reading of a page. */
function askedPage(
  { method, url = "", headers }: IncomingMessage,
  formFor: (accept: string | undefined) => Form | null,
): AskedPage | null {
  if (method !== "GET" || url.length > TARGET_CHARACTERS_MAX) return null;
  const [, address, search = ""] = PLAIN_TARGET.exec(url) ?? [];
  if (address === undefined || carriesCredential(url)) return null;
  const { path, isTwin } = pageAt(address);
  const form = isTwin ? "twin" : formFor(headers.accept);
  return form === null ? null : { path, form, search };
}

function pageFor(parts: HttpParts, { path, form, search }: AskedPage): PageReply | null {
  const query = search === "" ? NO_QUERY : new URLSearchParams(search);
  try {
    return itemReply(parts, path, { form, request: leafing(query).question });
  } catch {
    // The app fails in the same way, and tells it.
    return null;
  }
}

function isSentAsItIs({ headers }: IncomingMessage, bytes: number): boolean {
  const accepted = headers["accept-encoding"];
  return accepted === undefined || chooseEncoding(String(accepted), bytes) === "identity";
}

function answerOf({ headers, body }: PageReply, security: readonly string[]): Answer {
  const etag = `"${tagOf(body)}"`;
  const { "Content-Type": type = "", ...shared } = fittedHeaders(headers);
  const headersUnchanged = [...Object.entries({ ...shared, ETag: etag }).flat(), ...security];
  const whole = ["Content-Type", type, "Content-Length", String(body.length)];
  return { bytes: body, etag, headers: [...headersUnchanged, ...whole], headersUnchanged };
}

/** Clients ask in few ways. */
function rememberForms(): (accept: string | undefined) => Form | null {
  const forms = new Kept<{ form: Form | null }>(FORMS_KEPT);
  return (accept = "") => {
    const known = forms.get(accept);
    if (known !== undefined) return known.form;
    const variant = chooseVariant(accept === "" ? undefined : accept);
    const form = variant === "markdown" ? "negotiated" : variant;
    forms.keep(accept, { form }, 1);
    return form;
  };
}

/** Whoever asks for a page with ever other queries fills no memory with what nobody asks for again. */
function rememberQuestions(): (request: IncomingMessage) => boolean {
  const asked = new Kept<true>(ASKED_MAX);
  return (request) => {
    const key = keyOf(request);
    if (asked.get(key) === true) return true;
    asked.keep(key, true, 1);
    return false;
  };
}
