import { markdownPath } from "../../content/addresses/addresses.ts";
import { RANDOM_PATH } from "../../content/addresses/paths.ts";
import { pickRandomQuotationPath } from "../../content/lists/random-quotation.ts";
import { editionPath, splitEditionPrefix } from "../../content/site/editions.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { negotiatedErrorResponse } from "../problem.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { encodePath, parseAddress, splitPagePath } from "./address.ts";
import { agentHomePageResponse, documentResponse } from "./documents.ts";
import { pageResponse, permanentPathRedirect } from "./pages.ts";

/**
 * Answers with a discovery document or a page. If the address is not canonical, redirects to the
 * canonical address.
 */
export async function siteResponse(
  request: HttpRequest,
  parts: HttpDependencies,
): Promise<HttpResponse> {
  const { pathname, searchParams: query } = request.url;
  const address = parseAddress(pathname);
  if (address.kind === "malformed") {
    return negotiatedErrorResponse(request, {
      status: 400,
      detail: "The address is not well-formed",
    });
  }
  if (address.kind === "not_canonical") return permanentPathRedirect(address.path, query);
  const { path } = address;
  if (path === "/" && query.get("mode") === "agent")
    return await agentHomePageResponse(request, parts);
  const random = randomQuotationResponse(path, parts);
  if (random !== null) return random;
  const document = await documentResponse(request, path, parts);
  return document ?? (await pageResponse(request, { ...splitPagePath(path), query }, parts));
}

/**
 * Redirects `/random` of an edition to a random quotation or, if there is none, to the edition's home page.
 * Null: `path` is not a `/random` path, or a published item has this path.
 */
export function randomQuotationResponse(
  path: string,
  { reading }: Pick<HttpDependencies, "reading">,
): HttpResponse | null {
  const asked = splitPagePath(path);
  if (!asked.path.endsWith(RANDOM_PATH)) return null;
  const { edition, path: localPath } = splitEditionPrefix(reading, asked.path);
  if (localPath !== RANDOM_PATH || reading.resolve(asked.path).kind === "item") return null;
  const page =
    pickRandomQuotationPath(reading, edition, Math.random()) ?? editionPath(edition, "/");
  const to = asked.isMarkdownPath ? markdownPath(page) : page;
  const headers = {
    ...PUBLIC_HEADERS,
    Location: encodePath(to),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
  return { status: 302, headers, body: null };
}
