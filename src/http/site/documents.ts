import { setImmediate as nextTurn } from "node:timers/promises";
import { NO_PARAMETERS } from "../../content/pages/paging.ts";
import { renderAgentHomePageJson } from "../../discovery/agent-view.ts";
import type { DocumentContext } from "../../discovery/document.ts";
import { type FoundDocument, findDocument } from "../../discovery/documents.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { DOCUMENT_CACHE_CONTROL, PAGE_CACHE_CONTROL, PUBLIC_HEADERS } from "../public-headers.ts";
import type { CachedResponseSelection } from "../response-cache.ts";

/** Time slice for building a long document; other requests are served between slices. */
const SLICE_MILLISECONDS = 5;
const BUFFER_CHARACTERS = 64 * 1024;

/** The discovery document at a path; null: there is none. */
export async function documentResponse(
  request: HttpRequest,
  path: string,
  parts: HttpDependencies,
): Promise<HttpResponse | null> {
  const found = findDocument(path);
  if (found === null) return null;
  const context = documentContext(parts);
  // The month is part of the key because security.txt changes monthly, even if nothing is
  // published.
  const selection = documentSelection(`${path} ${context.now.toISOString().slice(0, 7)}`);
  const version = parts.reading.version();
  const cached = parts.answers.answerCached(request, selection);
  if (cached !== null) return await cached;
  const content = found.document.render(context, found.parameters);
  if (content === null) return null;
  const headers = documentHeaders(found, context);
  const rendered = (body: string | Uint8Array) => ({
    response: { status: 200, headers, body },
    version,
    parameters: [],
  });
  if (typeof content === "string") {
    return await parts.answers.storeAndAnswer(request, selection, rendered(content));
  }
  return await parts.answers.renderAndAnswer(request, selection, async () =>
    rendered(await buildInSlices(content)),
  );
}

/** The home page for agents. */
export async function agentHomePageResponse(
  request: HttpRequest,
  parts: HttpDependencies,
): Promise<HttpResponse> {
  const selection = documentSelection("/?mode=agent");
  const version = parts.reading.version();
  const cached = parts.answers.answerCached(request, selection);
  if (cached !== null) return await cached;
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": PAGE_CACHE_CONTROL,
    "Last-Modified": new Date(parts.reading.updatedAt()).toUTCString(),
    Link: `<${parts.origin}/>; rel="canonical", </llms.txt>; rel="describedby"; type="text/markdown"`,
    "X-Robots-Tag": "noindex",
  };
  const response = { status: 200, headers, body: renderAgentHomePageJson(documentContext(parts)) };
  return await parts.answers.storeAndAnswer(request, selection, {
    response,
    version,
    parameters: [],
  });
}

/** The cache selection of a document, which has no parameters. */
function documentSelection(name: string): CachedResponseSelection {
  return { address: `document ${name}`, query: NO_PARAMETERS };
}

function documentContext({ reading, origin, version, now }: HttpDependencies): DocumentContext {
  return { reading, origin, version, now: now() };
}

function documentHeaders(
  { document }: FoundDocument,
  context: DocumentContext,
): Record<string, string> {
  return {
    ...PUBLIC_HEADERS,
    "Content-Type": document.contentType,
    "Cache-Control": DOCUMENT_CACHE_CONTROL,
    "Last-Modified": new Date(context.reading.updatedAt()).toUTCString(),
    ...document.headers?.(context),
  };
}

async function buildInSlices(pieces: Iterable<string>): Promise<Uint8Array> {
  const buffers: Uint8Array[] = [];
  let text = "";
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  for (const piece of pieces) {
    text += piece;
    if (text.length >= BUFFER_CHARACTERS) {
      buffers.push(Buffer.from(text));
      text = "";
    }
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MILLISECONDS;
  }
  buffers.push(Buffer.from(text));
  return Buffer.concat(buffers);
}
