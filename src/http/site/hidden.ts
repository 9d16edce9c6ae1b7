import { PREVIEW_PATH } from "../../content/pages/built-in/preview-page.ts";
import { splitEditionPrefix } from "../../content/site/editions.ts";
import { hiddenSiteHtml } from "../../render/hidden-site-page.ts";
import { chooseErrorVariant } from "../accept.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { type HttpRequest, type HttpResponse, responseWithContentLength } from "../exchange.ts";
import { negotiatedErrorResponse } from "../problem.ts";
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

type SiteParts = Pick<HttpDependencies, "reading">;

/**
 * The answer for every page, document and file of a hidden site. Null: the site is open, or the
 * request is for the form in which preview codes are entered.
 */
export function hiddenSiteResponse(
  request: HttpRequest,
  { reading }: SiteParts,
): HttpResponse | null {
  if (!reading.site().hidden) return null;
  const { edition, path } = splitEditionPrefix(reading, request.url.pathname);
  if (path === PREVIEW_PATH) return null;
  if (chooseErrorVariant(request.header("accept")) !== "html") {
    return negotiatedErrorResponse(request, { status: 503, detail: HIDDEN_DETAIL }, HIDDEN_HEADERS);
  }
  const headers = { ...HIDDEN_HEADERS, "Content-Type": "text/html; charset=utf-8", Vary: "Accept" };
  return responseWithContentLength(503, headers, hiddenSiteHtml(edition.texts, edition.site.name));
}

/** The answer of a hidden site to MCP clients, in JSON-RPC; null: the site is open. */
export function hiddenSiteRpcResponse({ reading }: SiteParts): HttpResponse | null {
  if (!reading.site().hidden) return null;
  const body = { jsonrpc: "2.0", id: null, error: { code: RPC_ERROR, message: HIDDEN_DETAIL } };
  return responseWithContentLength(
    503,
    { ...HIDDEN_HEADERS, "Content-Type": "application/json" },
    JSON.stringify(body),
  );
}
