import type { PageView } from "../../content/pages/view.ts";
import { pageHtml } from "../../render/page-html.ts";
import { answerWithContentLength, type HttpAnswer } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { feedsOfPage } from "./page-reply.ts";

/** Renders the page that answers a visitor's form: never cached, HTML only. */
export function formPageAnswer(view: PageView, parts: HttpParts, status: number): HttpAnswer {
  const body = pageHtml(
    { ...view, isIndexed: false },
    { ...parts, feeds: feedsOfPage(view, parts) },
  );
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
  return answerWithContentLength(status, headers, body);
}

/** Redirects after a POST, so that reloading resubmits nothing. */
export function seeOtherAnswer(path: string): HttpAnswer {
  return { status: 303, headers: { Location: path, "Cache-Control": "no-store" }, body: null };
}
