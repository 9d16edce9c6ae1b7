import { Readable } from "node:stream";
import { agentView } from "../../discovery/agent-view.ts";
import type { DocumentContext } from "../../discovery/document.ts";
import { type FoundDocument, findDocument } from "../../discovery/documents.ts";
import type { AnswerSelection } from "../answer-cache.ts";
import { chooseEncoding, compressionStream } from "../encoding.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { DOCUMENT_CACHING, PAGE_CACHING, PUBLIC_HEADERS } from "../public-headers.ts";
import { matches } from "../reply.ts";

/** Documents up to this size are cached with a validator; larger ones are streamed. */
const CACHED_CHARACTERS_MAX = 2 * 1024 * 1024;

/** The discovery document at a path; null: there is none. */
export async function documentAnswer(
  request: HttpRequest,
  path: string,
  parts: HttpParts,
): Promise<HttpAnswer | null> {
  const found = findDocument(path);
  if (found === null) return null;
  const context = contextOf(parts);
  // The month is part of the key because security.txt changes monthly, even if nothing is published.
  const selection = document(`${path} ${context.now.toISOString().slice(0, 7)}`);
  const version = parts.reading.version();
  const cached = parts.answers.answerCached(request, selection);
  if (cached !== null) return await cached;
  const content = found.document.render(context, found.parameters);
  if (content === null) return null;
  const headers = headersOf(found, context);
  const { body, rest } =
    typeof content === "string" ? { body: content, rest: null } : bufferStart(content);
  if (rest !== null) {
    // A streamed body cannot be hashed in advance, so the versions it derives from serve as validator.
    const ETag = `W/"${parts.version}-${parts.reading.version()}"`;
    return streamed(request, { ...headers, ETag }, joined(body, rest));
  }
  const reply = { status: 200, headers, body };
  return await parts.answers.storeAndAnswer(request, selection, { reply, version, parameters: [] });
}

/** The home page for agents. */
export async function agentViewAnswer(request: HttpRequest, parts: HttpParts): Promise<HttpAnswer> {
  const selection = document("/?mode=agent");
  const version = parts.reading.version();
  const cached = parts.answers.answerCached(request, selection);
  if (cached !== null) return await cached;
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": PAGE_CACHING,
    "Last-Modified": new Date(parts.reading.updatedAt()).toUTCString(),
    Link: `<${parts.origin}/>; rel="canonical", </llms.txt>; rel="describedby"; type="text/markdown"`,
    "X-Robots-Tag": "noindex",
  };
  const reply = { status: 200, headers, body: agentView(contextOf(parts)) };
  return await parts.answers.storeAndAnswer(request, selection, { reply, version, parameters: [] });
}

/** Documents have no parameters. */
function document(name: string): AnswerSelection {
  return { address: `document ${name}`, query: { parameter: () => undefined } };
}

function contextOf({ reading, origin, version, now }: HttpParts): DocumentContext {
  return { reading, origin, version, now: now() };
}

function headersOf({ document }: FoundDocument, context: DocumentContext): Record<string, string> {
  return {
    ...PUBLIC_HEADERS,
    "Content-Type": document.contentType,
    "Cache-Control": DOCUMENT_CACHING,
    "Last-Modified": new Date(context.reading.updatedAt()).toUTCString(),
    ...document.headers?.(context),
  };
}

/** Buffers the start of a document; `rest` is null if that is all of it. */
function bufferStart(pieces: Iterable<string>): { body: string; rest: Iterator<string> | null } {
  const iterator = pieces[Symbol.iterator]();
  let body = "";
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    body += step.value;
    if (body.length > CACHED_CHARACTERS_MAX) return { body, rest: iterator };
  }
  return { body, rest: null };
}

function* joined(body: string, rest: Iterator<string>): Generator<string> {
  yield body;
  for (let step = rest.next(); step.done !== true; step = rest.next()) yield step.value;
}

function streamed(
  request: HttpRequest,
  headers: Record<string, string>,
  pieces: Iterable<string>,
): HttpAnswer {
  const encoding = chooseEncoding(request.header("accept-encoding"), CACHED_CHARACTERS_MAX);
  const all: Record<string, string> = { ...headers, Vary: "Accept-Encoding" };
  if (matches(request.header("if-none-match"), headers["ETag"] ?? "")) {
    const { "Content-Type": _, ...unchanged } = all;
    return { status: 304, headers: unchanged, body: null };
  }
  if (encoding !== "identity") all["Content-Encoding"] = encoding;
  if (request.method === "HEAD") return { status: 200, headers: all, body: null };
  const source = Readable.from(bytesOf(pieces));
  const body = encoding === "identity" ? source : source.pipe(compressionStream(encoding));
  return { status: 200, headers: all, body: Readable.toWeb(body) };
}

function* bytesOf(pieces: Iterable<string>): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}
