import type { PageView } from "../../content/pages/view.ts";
import { pageHtml } from "../../render/page-html.ts";
import { type HttpAnswer, wholeAnswer } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { feedsOf } from "./page-reply.ts";

/** A page that answers one visitor's form: kept by nobody, and in no form but HTML. */
export function formPageAnswer(view: PageView, parts: HttpParts, status: number): HttpAnswer {
  const body = pageHtml({ ...view, isIndexed: false }, { ...parts, feeds: feedsOf(view, parts) });
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
  return wholeAnswer(status, headers, body);
}

/** On to another page of this site, which can be loaded again without sending anything again. */
export function seeOther(path: string): HttpAnswer {
  return { status: 303, headers: { Location: path, "Cache-Control": "no-store" }, body: null };
}
