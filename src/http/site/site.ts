import { markdownPath } from "../../content/addresses/addresses.ts";
import { RANDOM_PATH } from "../../content/addresses/paths.ts";
import { randomQuotationPath } from "../../content/lists/random-quotation.ts";
import { editionAndUnprefixedPath, editionPath } from "../../content/site/editions.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { negotiatedErrorAnswer } from "../problem.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { encodePath, parseAddress, splitPagePath } from "./address.ts";
import { agentHomePageAnswer, documentAnswer } from "./documents.ts";
import { pageAnswer, permanentPathRedirectAnswer } from "./pages.ts";

/**
 * Answers with a discovery document or a page. If the address is not canonical, redirects to the
 * canonical address.
 */
export async function siteAnswer(request: HttpRequest, parts: HttpParts): Promise<HttpAnswer> {
  const { pathname, searchParams: query } = request.url;
  const address = parseAddress(pathname);
  if (address.kind === "malformed") {
    return negotiatedErrorAnswer(request, {
      status: 400,
      detail: "The address is not well-formed",
    });
  }
  if (address.kind === "not_canonical") return permanentPathRedirectAnswer(address.path, query);
  const { path } = address;
  if (path === "/" && query.get("mode") === "agent")
    return await agentHomePageAnswer(request, parts);
  const random = randomQuotationAnswer(path, parts);
  if (random !== null) return random;
  const document = await documentAnswer(request, path, parts);
  return document ?? (await pageAnswer(request, { ...splitPagePath(path), query }, parts));
}

/**
 * Redirects `/random` of an edition to a random quotation or, if there is none, to the edition's home page.
 * Null: `path` is not a `/random` path, or a published item has this path.
 */
export function randomQuotationAnswer(
  path: string,
  { reading }: Pick<HttpParts, "reading">,
): HttpAnswer | null {
  const asked = splitPagePath(path);
  if (!asked.path.endsWith(RANDOM_PATH)) return null;
  const { edition, path: localPath } = editionAndUnprefixedPath(reading, asked.path);
  if (localPath !== RANDOM_PATH || reading.resolve(asked.path).kind === "item") return null;
  const page = randomQuotationPath(reading, edition, Math.random()) ?? editionPath(edition, "/");
  const to = asked.isMarkdownPath ? markdownPath(page) : page;
  const headers = {
    ...PUBLIC_HEADERS,
    Location: encodePath(to),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
  return { status: 302, headers, body: null };
}
