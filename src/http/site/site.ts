import { markdownPath } from "../../content/addresses/addresses.ts";
import { RANDOM_PATH } from "../../content/addresses/paths.ts";
import { randomQuotation } from "../../content/lists/random-quotation.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { errorAnswer } from "../problem.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { encodePath, pageAt, readAddress } from "./address.ts";
import { agentViewAnswer, documentAnswer } from "./documents.ts";
import { movedAnswer, pageAnswer } from "./pages.ts";

/** Answers with a discovery document or a page, redirecting to its canonical address. */
export async function siteAnswer(request: HttpRequest, parts: HttpParts): Promise<HttpAnswer> {
  const { pathname, searchParams: query } = request.url;
  const address = readAddress(pathname);
  if (address.kind === "malformed") {
    return errorAnswer(request, { status: 400, detail: "The address is not well-formed" });
  }
  if (address.kind === "not_canonical") return movedAnswer(address.path, query);
  const { path } = address;
  if (path === "/" && query.get("mode") === "agent") return await agentViewAnswer(request, parts);
  if (pageAt(path).path === RANDOM_PATH) return randomAnswer(path, parts);
  const document = await documentAnswer(request, path, parts);
  return document ?? (await pageAnswer(request, { ...pageAt(path), query }, parts));
}

/** Redirects to a random quotation; without any, to the home page. */
function randomAnswer(path: string, { reading }: HttpParts): HttpAnswer {
  const page = randomQuotation(reading, Math.random()) ?? "/";
  const to = pageAt(path).isMarkdownPath ? markdownPath(page) : page;
  const headers = {
    ...PUBLIC_HEADERS,
    Location: encodePath(to),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
  return { status: 302, headers, body: null };
}
