import { PREVIEW_PATH } from "../../content/pages/preview-page.ts";
import { editionAndUnprefixedPath } from "../../content/site/editions.ts";
import { hiddenSiteHtml } from "../../render/hidden-site-page.ts";
import { chooseErrorVariant } from "../accept.ts";
import { answerWithContentLength, type HttpAnswer, type HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { negotiatedErrorAnswer } from "../problem.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";

const HIDDEN_DETAIL = "This site is not open yet. It opens soon: ask again later";
const HIDDEN_HEADERS = {
  ...PUBLIC_HEADERS,
  "Cache-Control": "no-store",
  "Retry-After": "3600",
  "X-Robots-Tag": "noindex",
};
/** Error code "internal error" of JSON-RPC 2.0, which MCP clients get while the site is hidden. */
const RPC_ERROR = -32603;

type SiteParts = Pick<HttpParts, "reading">;

/**
 * The answer for every page, document and file of a hidden site. Null: the site is open, or the
 * request is for the form in which preview codes are entered.
 */
export function hiddenSiteAnswer(request: HttpRequest, { reading }: SiteParts): HttpAnswer | null {
  if (!reading.site().hidden) return null;
  const { edition, path } = editionAndUnprefixedPath(reading, request.url.pathname);
  if (path === PREVIEW_PATH) return null;
  if (chooseErrorVariant(request.header("accept")) !== "html") {
    return negotiatedErrorAnswer(request, { status: 503, detail: HIDDEN_DETAIL }, HIDDEN_HEADERS);
  }
  const headers = { ...HIDDEN_HEADERS, "Content-Type": "text/html; charset=utf-8", Vary: "Accept" };
  return answerWithContentLength(503, headers, hiddenSiteHtml(edition.texts, edition.site.name));
}

/** The answer of a hidden site to MCP clients, in JSON-RPC; null: the site is open. */
export function hiddenSiteRpcAnswer({ reading }: SiteParts): HttpAnswer | null {
  if (!reading.site().hidden) return null;
  const body = { jsonrpc: "2.0", id: null, error: { code: RPC_ERROR, message: HIDDEN_DETAIL } };
  return answerWithContentLength(
    503,
    { ...HIDDEN_HEADERS, "Content-Type": "application/json" },
    JSON.stringify(body),
  );
}
