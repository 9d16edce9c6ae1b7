import type { PageView } from "../../content/pages/view.ts";
import { pageHtml } from "../../render/page-html.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { type HttpResponse, responseWithContentLength } from "../exchange.ts";
import { feedsOfPage } from "./page-response.ts";

/** Renders the page that answers a visitor's form: never cached, HTML only. */
export function formPageResponse(
  view: PageView,
  parts: HttpDependencies,
  status: number,
): HttpResponse {
  const body = pageHtml(
    { ...view, isIndexed: false },
    { ...parts, feeds: feedsOfPage(view, parts) },
  );
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
  return responseWithContentLength(status, headers, body);
}

/** Redirects after a POST, so that reloading resubmits nothing. */
export function seeOtherResponse(path: string): HttpResponse {
  return { status: 303, headers: { Location: path, "Cache-Control": "no-store" }, body: null };
}
