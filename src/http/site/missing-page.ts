import type { InlineContent, PageView } from "../../content/pages/view.ts";
import { pageHtml } from "../../render/page-html.ts";
import { mainContentMarkdown } from "../../render/page-markdown.ts";
import { chooseErrorVariant } from "../accept.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { EncodableResponse } from "../encodable-response.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { problemJson } from "../problem.ts";
import { NO_STORE_CACHE_CONTROL, PUBLIC_HEADERS } from "../public-headers.ts";
import { encodePath } from "./address.ts";
import { feedsOfPage } from "./page-response.ts";

const RECOVERY_LINKS =
  '</llms.txt>; rel="describedby"; type="text/markdown", </sitemap.xml>; rel="sitemap"; type="application/xml", </>; rel="home"';

const CONTENT_TYPES = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  problem: "application/problem+json",
};

/**
 * Answers a request for a page that does not exist (404) or no longer exists (410), in the
 * negotiated representation. Links help the client find what it was looking for.
 */
export async function missingPageResponse(
  request: HttpRequest,
  missing: { status: 404 | 410; view: () => Promise<PageView>; isMarkdownPath: boolean },
  parts: Pick<HttpDependencies, "reading" | "origin">,
): Promise<HttpResponse> {
  const { status, isMarkdownPath } = missing;
  const view = await missing.view();
  const accept = request.header("accept");
  const variant = isMarkdownPath ? "markdown" : chooseErrorVariant(accept);
  const body = {
    html: () => pageHtml(view, { ...parts, feeds: feedsOfPage(view, parts) }),
    markdown: () => mainContentMarkdown(view, parts),
    problem: () => problemOf(status, view, parts),
  }[variant]();
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": CONTENT_TYPES[variant],
    "Cache-Control":
      isMarkdownPath || variant === "html" ? "public, max-age=60" : NO_STORE_CACHE_CONTROL,
    "X-Robots-Tag": "noindex",
    Link: RECOVERY_LINKS,
    ...(isMarkdownPath ? {} : { Vary: "Accept" }),
  };
  return await new EncodableResponse({ status, headers, body }).respond(request);
}

function problemOf(
  status: 404 | 410,
  view: PageView,
  { origin }: Pick<HttpDependencies, "origin">,
): string {
  const path = encodePath(view.path).slice(0, 500);
  const searchIndex = view.blocks.findIndex(({ kind }) => kind === "search");
  const suggested = linksOf(view.blocks.slice(0, searchIndex), origin);
  const standardLinks = linksOf(view.blocks.slice(searchIndex), origin);
  const isGuide = ({ rel }: { rel: string }) => rel === "describedby";
  const guideFirst = [
    ...standardLinks.filter(isGuide),
    ...standardLinks.filter((link) => !isGuide(link)),
  ];
  const detail =
    status === 404 ? `No page at ${path}${view.query}` : `The page at ${path} has been withdrawn`;
  return problemJson({ status, detail, instance: path, links: [...suggested, ...guideFirst] });
}

function linksOf(blocks: PageView["blocks"], origin: string) {
  return blocks.flatMap((block) => {
    if (block.kind === "search") return [{ rel: "search", href: origin + block.action }];
    const lines = block.kind === "entries" ? block.entries : "line" in block ? [block] : [];
    return lines.flatMap(({ line }) => inlineLinks(line, origin));
  });
}

function inlineLinks(line: readonly InlineContent[], origin: string) {
  return line.flatMap((piece) =>
    typeof piece === "object" && "to" in piece
      ? [{ rel: LINK_RELATIONS[piece.to] ?? "related", href: origin + piece.to, title: piece.text }]
      : [],
  );
}

const LINK_RELATIONS: Readonly<Record<string, string>> = {
  "/llms.txt": "describedby",
  "/sitemap.xml": "sitemap",
  "/": "home",
};
