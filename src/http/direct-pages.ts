import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { carriesCredential } from "../access/credentials.ts";
import type { PageRequest } from "../content/pages/view.ts";
import { Kept } from "../kept.ts";
import type { PagePiece } from "../render/page-pieces.ts";
import { chooseVariant } from "./accept.ts";
import { chooseEncoding } from "./encoding.ts";
import { noteAnswer, securityHeaders } from "./guards.ts";
import type { Answer } from "./hot-path.ts";
import type { HttpParts } from "./parts.ts";
import { matches, tagOf, varyOf } from "./reply.ts";
import { pageAt } from "./site/address.ts";
import { itemReply } from "./site/item-reply.ts";
import type { Form, PageReply } from "./site/page-reply.ts";
import { leafing } from "./site/pages.ts";
import { TurnAnswers } from "./turn-answers.ts";

/** Addresses that can be written in one way only, which the paths of most items are. */
const PLAIN_TARGET = /^(\/[\w-]+(?:\/[\w-]+)*(?:\.md)?)(?:\?([\w=&-]*))?$/;
const TARGET_CHARACTERS_MAX = 2000;

const FORMS_KEPT = 1000;

/**
 * Pages of items straight from the reading copy: what the framework does for a request costs more
 * than joining a page. Takes what is plainly a page of an item and can be sent as it is, and leaves
 * all else to the app, which answers the same.
 */
export function openPagesDirectly(parts: HttpParts) {
  const { reading, log, hotPath, answered } = parts;
  const security = Object.entries(securityHeaders(parts.origin)).flat();
  const formFor = rememberForms();
  const answers = new TurnAnswers();
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const started = performance.now();
    const version = reading.version();
    const question = askedPage(request, formFor);
    const page = question === null ? null : pageFor(parts, question, answers.join);
    if (question === null || page === null) return false;
    const answer = answerOf(page, security);
    const { method = "", headers } = request;
    const requestId = randomUUID();
    const held = headers["if-none-match"];
    const isHeld = held !== undefined && matches(held, answer.etag);
    const status = isHeld ? 304 : 200;
    const told = isHeld ? answer.headersUnchanged : answer.headers;
    const bytes = isHeld ? undefined : page.body;
    answers.send(response, { status, headers: [...told, "X-Request-Id", requestId], bytes });
    if (hotPath?.isKept(request)) {
      hotPath.keep(request, { ...answer, bytes: Buffer.from(page.body) }, version);
    }
    answered("page", status, performance.now() - started);
    noteAnswer(log, { requestId, method, path: question.address, status, started });
    return true;
  };
}

interface AskedPage {
  /** As it was asked for. */
  address: string;
  path: string;
  form: Form;
  search: string;
}

/** Null: this is no plain reading of a page that is sent as it is. */
function askedPage(
  { method, url = "", headers }: IncomingMessage,
  formFor: (accept: string | undefined) => Form | null,
): AskedPage | null {
  if (method !== "GET" || url.length > TARGET_CHARACTERS_MAX) return null;
  const [, address, search = ""] = PLAIN_TARGET.exec(url) ?? [];
  if (address === undefined || carriesCredential(url)) return null;
  const accepted = headers["accept-encoding"];
  if (accepted !== undefined && isCompressed(String(accepted))) return null;
  const { path, isTwin } = pageAt(address);
  const form = isTwin ? "twin" : formFor(headers.accept);
  return form === null ? null : { address, path, form, search };
}

/** Whatever its size. */
function isCompressed(accepted: string): boolean {
  return chooseEncoding(accepted, Number.POSITIVE_INFINITY) !== "identity";
}

function pageFor(
  parts: HttpParts,
  { path, form, search }: AskedPage,
  join: (pieces: readonly PagePiece[]) => Buffer,
): PageReply | null {
  try {
    return itemReply(parts, path, { form, request: questionIn(search), join });
  } catch {
    // The app fails in the same way, and tells it.
    return null;
  }
}

/** Read when it is asked, which pages without lists never do. */
function questionIn(search: string): PageRequest {
  let read: PageRequest | undefined;
  return {
    parameter(name) {
      read ??= leafing(new URLSearchParams(search)).question;
      return read.parameter(name);
    },
  };
}

function answerOf({ headers, body }: PageReply, security: readonly string[]): Answer {
  const etag = `"${tagOf(body)}"`;
  const headersUnchanged = ["ETag", etag, ...security];
  for (const name in headers) {
    if (name === "Content-Type" || name === "Vary") continue;
    headersUnchanged.push(name, headers[name] ?? "");
  }
  headersUnchanged.push("Vary", varyOf(headers));
  const type = headers["Content-Type"] ?? "";
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
