import {
  HTML_ACCEPT_HEADER,
  MARKDOWN_ACCEPT_HEADER,
  type SiteClient,
  type SiteResponse,
} from "./check-site.ts";

/** A requirement for a site. `run` returns a sentence for each fault; no sentence if the site passes. */
export interface SiteCheck {
  name: string;
  run(site: SiteClient): Promise<string[]>;
}

const PAGES_SAMPLED_MAX = 6;
const SITEMAPS_SAMPLED_MAX = 3;

/** Accept headers of real clients, each with the representation that the client should get. */
const ACCEPT_HEADERS: readonly [client: string, accept: string, form: "markdown" | "html"][] = [
  ["Claude Code", "text/markdown, text/html, */*", "markdown"],
  ["Cursor", "text/markdown, text/plain;q=0.9, */*;q=0.8", "markdown"],
  [
    "opencode",
    "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
    "markdown",
  ],
  ["openclaw", "text/markdown, text/html;q=0.9, */*;q=0.8", "markdown"],
  ["qwen-code", "text/markdown, text/html, text/plain", "markdown"],
  ["curl", "*/*", "html"],
  ["Chrome", HTML_ACCEPT_HEADER, "html"],
];

export const PAGE_CHECKS: readonly SiteCheck[] = [
  { name: "Home as HTML", run: homeAsHtml },
  { name: "Home as Markdown", run: homeAsMarkdown },
  { name: "Negotiation", run: negotiation },
  { name: "Markdown pages", run: markdownPages },
  { name: "HEAD and 304", run: headAndConditional },
  { name: "Absent pages", run: absentPages },
];

/** Returns the keys of the conditions that are false. Each key says what is wrong in that case. */
export function listUnmetConditions(conditions: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(conditions).flatMap(([fault, holds]) => (holds ? [] : [fault]));
}

/** Paths of a few pages, evenly spread over the sitemap. */
async function samplePages(site: SiteClient): Promise<string[]> {
  const locations = parseSitemapLocations(await site.get("/sitemap.xml"));
  const parts = locations
    .filter((location) => location.endsWith(".xml"))
    .slice(0, SITEMAPS_SAMPLED_MAX);
  const pages =
    parts.length === 0
      ? locations
      : (await Promise.all(parts.map((part) => site.get(part)))).flatMap(parseSitemapLocations);
  const step = Math.max(1, Math.floor(pages.length / PAGES_SAMPLED_MAX));
  return pages
    .filter((_, position) => position % step === 0)
    .slice(0, PAGES_SAMPLED_MAX)
    .map((page) => new URL(page).pathname);
}

/** Addresses in a sitemap or sitemap index. */
export function parseSitemapLocations({ text }: SiteResponse): string[] {
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) =>
    (match[1] ?? "").replaceAll("&amp;", "&"),
  );
}

async function homeAsHtml(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/", { accept: HTML_ACCEPT_HEADER });
  return listUnmetConditions({
    [`it answers ${answer.status} instead of 200`]: answer.status === 200,
    "its type is not text/html; charset=utf-8": isType(answer, "text/html"),
    "Vary does not name Accept": variesByAccept(answer),
    "it has no ETag": answer.header("etag") !== "",
    "Link names no canonical address": /rel="?canonical"?/.test(answer.header("link")),
    "Link names no Markdown alternate": /rel="?alternate"?/.test(answer.header("link")),
    "it sets a cookie": answer.header("set-cookie") === "",
    "X-Content-Type-Options is not nosniff": answer.header("x-content-type-options") === "nosniff",
    "there is no Content-Security-Policy": answer.header("content-security-policy") !== "",
    "other sites' scripts may not read it": answer.header("access-control-allow-origin") === "*",
  });
}

async function homeAsMarkdown(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/", { accept: MARKDOWN_ACCEPT_HEADER });
  const markdownForm = await site.get("/index.md");
  return listUnmetConditions({
    [`it answers ${answer.status} instead of 200`]: answer.status === 200,
    "its type is not text/markdown; charset=utf-8": isType(answer, "text/markdown"),
    "Vary does not name Accept": variesByAccept(answer),
    "a shared cache may keep it and give it to browsers": isKeptFromCaches(answer),
    "Content-Location is not /index.md": answer.header("content-location").endsWith("/index.md"),
    "/index.md has other bytes":
      markdownForm.status === 200 && markdownForm.bytes.equals(answer.bytes),
    "it does not start with a front matter that names its canonical address":
      /^---\n[\s\S]*?\ncanonical: /.test(answer.text),
    "it does not lead to llms.txt": answer.text.includes("/llms.txt"),
  });
}

async function negotiation(site: SiteClient): Promise<string[]> {
  const [page = "/"] = (await samplePages(site)).filter((path) => path !== "/");
  const faults: string[] = [];
  for (const path of ["/", page]) {
    for (const [client, accept, form] of ACCEPT_HEADERS) {
      const answer = await site.get(path, { accept });
      if (!isType(answer, `text/${form}`)) {
        faults.push(`${path}: ${client} gets ${answer.header("content-type")} instead of ${form}`);
      }
    }
  }
  return faults;
}

async function markdownPages(site: SiteClient): Promise<string[]> {
  const pages = (await samplePages(site)).filter((path) => path !== "/");
  if (pages.length === 0) return ["the sitemap names no pages to look at"];
  const faults: string[] = [];
  for (const path of pages) {
    const negotiated = await site.get(path, { accept: MARKDOWN_ACCEPT_HEADER });
    const markdownForm = await site.get(`${path}.md`, { accept: HTML_ACCEPT_HEADER });
    const unmet = listUnmetConditions({
      [`answers ${markdownForm.status} instead of 200`]: markdownForm.status === 200,
      "is not text/markdown; charset=utf-8": isType(markdownForm, "text/markdown"),
      "has other bytes than the negotiated Markdown": markdownForm.bytes.equals(negotiated.bytes),
      "does not name the canonical address in Link": markdownForm
        .header("link")
        .includes(`<${site.declaredOrigin}${path}>; rel="canonical"`),
    });
    faults.push(...unmet.map((fault) => `${path}.md ${fault}`));
  }
  return faults;
}

async function headAndConditional(site: SiteClient): Promise<string[]> {
  const got = await site.get("/", { accept: HTML_ACCEPT_HEADER });
  const head = await site.send("/", { method: "HEAD", headers: { accept: HTML_ACCEPT_HEADER } });
  const headers = { accept: HTML_ACCEPT_HEADER, "if-none-match": got.header("etag") };
  const unchanged = await site.get("/", headers);
  const posted = await site.send("/", { method: "POST", body: "" });
  return listUnmetConditions({
    "HEAD answers another status than GET": head.status === got.status,
    "HEAD states another ETag than GET": head.header("etag") === got.header("etag"),
    "HEAD has a body": head.bytes.length === 0,
    [`If-None-Match is answered ${unchanged.status} instead of 304`]: unchanged.status === 304,
    [`POST is answered ${posted.status} instead of 405`]: posted.status === 405,
  });
}

async function absentPages(site: SiteClient): Promise<string[]> {
  const path = "/no-such-page-as-this";
  const html = await site.get(path, { accept: HTML_ACCEPT_HEADER });
  const any = await site.get(path, { accept: "*/*" });
  const json = await site.get(path, { accept: "application/json" });
  const markdownForm = await site.get(`${path}.md`);
  return listUnmetConditions({
    "the status is not 404": [html, any, json, markdownForm].every(({ status }) => status === 404),
    "browsers do not get HTML": isType(html, "text/html"),
    "other clients do not get Markdown":
      isType(any, "text/markdown") && isType(markdownForm, "text/markdown"),
    "clients of JSON do not get problem+json": isType(json, "application/problem+json"),
    "no way out leads to llms.txt": [html, any, json].every(({ text }) =>
      text.includes("llms.txt"),
    ),
    "search engines may index it": html.text.includes("noindex"),
  });
}

function isType(answer: SiteResponse, type: string): boolean {
  const [essence = "", ...parameters] = answer.header("content-type").split(/\s*;\s*/);
  const needsCharset = type.startsWith("text/");
  return essence === type && (!needsCharset || parameters.includes("charset=utf-8"));
}

function variesByAccept(answer: SiteResponse): boolean {
  return answer
    .header("vary")
    .toLowerCase()
    .split(/\s*,\s*/)
    .includes("accept");
}

function isKeptFromCaches(answer: SiteResponse): boolean {
  return /\b(?:private|no-store)\b/.test(answer.header("cache-control"));
}
