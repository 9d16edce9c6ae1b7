import type { PageView } from "../../content/pages/view.ts";
import { pageHtml } from "../../render/page-html.ts";
import type { HttpParts } from "../parts.ts";
import { feedsOf } from "./page-reply.ts";

/** A page that answers one visitor's form: kept by nobody, and in no form but HTML. */
export function formPageResponse(view: PageView, parts: HttpParts, status: number): Response {
  const body = pageHtml({ ...view, isIndexed: false }, { ...parts, feeds: feedsOf(view, parts) });
  return new Response(body, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
    },
  });
}

/** On to another page of this site, which can be loaded again without sending anything again. */
export function seeOther(path: string): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: path, "Cache-Control": "no-store" },
  });
}
