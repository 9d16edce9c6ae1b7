import { RANDOM_PATH, SEARCH_PATH } from "../content/addresses/paths.ts";
import type { ReadingCopy } from "../content/library.ts";
import { PREVIEW_PATH } from "../content/pages/built-in/preview-page.ts";
import { KEY_CLAIM_PATH } from "../content/pages/contact-forms.ts";
import { editionPath, editionsOf } from "../content/site/editions.ts";
import { MCP_PATH } from "../content/site/service-identity.ts";
import { escapeForRegExp } from "./literal-pattern.ts";

/** Pages that need a server. They are not exported, and no exported page links to them. */
const SERVER_PAGES = [RANDOM_PATH, KEY_CLAIM_PATH, PREVIEW_PATH];

/**
 * Formats of exported texts from which mentions of the server's features are removed. `llms` is the format
 * of the files specified by llmstxt.org.
 */
export type ExportedTextFormat = "html" | "markdown" | "llms";

/** The formats of an exported file; none if it is no text that mentions features of the server. */
export function textFormatsOf(name: string): ExportedTextFormat[] {
  if (name.endsWith(".html")) return ["html"];
  if (name.endsWith(".md")) return ["markdown"];
  return /(?:^|\/)llms[\w-]*\.txt$/.test(name) ? ["markdown", "llms"] : [];
}

interface SitePatterns {
  /**
   * Matches the address of a page that is not exported. The address may be relative or absolute, and may have
   * `.md` and a query.
   */
  address: string;
  /** Whether the export has a search page. */
  hasSearch: boolean;
  /** Public origin, escaped for a pattern. */
  origin: string;
}

/** A step that removes something from a served text for the export. */
export interface ExportRemoval {
  /** Description of what is removed, for human readers. */
  what: string;
  format: ExportedTextFormat;
  /** The exports in which the step is applied; if absent, every export. */
  only?: "with search" | "without search";
  remove(text: string, site: SitePatterns): string;
}

/**
 * Everything that a static export removes from the server's answers, in the order of removal.
 * Editors' texts are unchanged, except for links to pages that are not exported.
 */
export const EXPORT_REMOVALS: readonly ExportRemoval[] = [
  {
    what: "search forms",
    format: "html",
    only: "without search",
    remove: (text) => text.replaceAll(/<form class="search [\s\S]*?<\/form>\n/g, ""),
  },
  {
    what: "the choice of a type and descriptions for agents in search forms",
    format: "html",
    only: "with search",
    remove: (text) =>
      text.replaceAll(/<form class="search [\s\S]*?<\/form>\n/g, (form) =>
        form
          .replace(/<label for="search-type">[\s\S]*?<\/select>\n/, "")
          .replaceAll(/ tool(?:name|description|paramdescription)="[^"]*"/g, ""),
      ),
  },
  {
    what: "links in the head to OpenSearch, the AI catalog and the agent view",
    format: "html",
    remove: (text) =>
      text
        .replaceAll(/^<link rel="(?:search|ai-catalog)" .*\n/gm, "")
        .replace(/^<link rel="alternate" type="application\/json" href="\/\?mode=agent" .*\n/m, ""),
  },
  {
    what: "the search action of structured data",
    format: "html",
    remove: (text) =>
      text.replace(
        /,"potentialAction":\{"@type":"SearchAction".*?"query-input":"required name=query"\}/,
        "",
      ),
  },
  {
    what: "forms to visitors, with their heading and introduction",
    format: "html",
    remove: (text) =>
      text.replaceAll(
        /<h2 id="[^"]*">[^\n]*<\/h2>\n<p>[^\n]*<\/p>\n<form class="visitor-form"[\s\S]*?<\/form>\n/g,
        "",
      ),
  },
  {
    what: "lines, list entries and links that lead to search, random quotations, claims and previews",
    format: "html",
    remove(text, { address }) {
      const link = `<a(?: [^>]*)? ?href="${address}"[^>]*>`;
      return text
        .replaceAll(new RegExp(`<(p|li)(?: class="[^"]*")?>${link}[^<]*</a></\\1>\n?`, "g"), "")
        .replaceAll(new RegExp(`${link}([\\s\\S]*?)</a>`, "g"), "$1");
    },
  },
  {
    what: "forms to visitors, with their heading and introduction",
    format: "markdown",
    remove: (text, { origin }) =>
      text.replaceAll(
        new RegExp(
          `\n## [^\n]+\n\n[^\n]+\n\n[^\n]*\`${origin}[^\`\n]*/contact(?:/claim)?\`[^\n]*\n\n(?:- [^\n]*\n)+`,
          "g",
        ),
        "",
      ),
  },
  {
    what: "the address of search",
    format: "markdown",
    remove: (text, { origin }) =>
      text.replaceAll(new RegExp(`\n[^\n]*\`${origin}[^\`\n]*/search\\.md[^\`\n]*\`\n`, "g"), ""),
  },
  {
    what: "lines and links that lead to search, random quotations, claims and previews",
    format: "markdown",
    remove: (text, { address }) =>
      text
        .replaceAll(new RegExp(`\n\\[[^\\]\n]*\\]\\(${address}\\)\n`, "g"), "")
        .replaceAll(new RegExp(`\\[([^\\]\n]*)\\]\\(${address}\\)`, "g"), "$1"),
  },
  {
    what: "the paragraphs on search and the MCP service",
    format: "llms",
    remove: (text, { origin }) =>
      text.replaceAll(
        new RegExp(`^(?:Search|MCP): [^\n]*${origin}(?:/search\\.md|${MCP_PATH})[^\n]*\n\n`, "gm"),
        "",
      ),
  },
  {
    what: "the promise to answer `Accept: text/markdown`",
    format: "llms",
    remove: (text) =>
      text.replace(
        " at its address plus `.md`, and answers `Accept: text/markdown` with it.",
        " at its address plus `.md`.",
      ),
  },
  {
    what: "lines on skills and the agent view",
    format: "llms",
    remove: (text, { origin }) =>
      text.replaceAll(
        new RegExp(
          `^- \\[[^\\]\n]*\\]\\(${origin}(?:/\\.well-known/agent-skills/|/\\?mode=agent)[^\n]*\n`,
          "gm",
        ),
        "",
      ),
  },
];

/** Names of the discovery documents that describe only features of the server. */
export const SERVER_ONLY_DOCUMENTS: ReadonlySet<string> = new Set([
  "AI catalog",
  "agent skills index",
  "agent skill",
  "MCP server card",
  "api-catalog",
  "opensearch.xml",
]);

/** Applies the removals of a format to a text. */
export function removeServerFeatures(
  text: string,
  format: ExportedTextFormat,
  site: SitePatterns,
): string {
  const other = site.hasSearch ? "without search" : "with search";
  return EXPORT_REMOVALS.filter(
    (removal) => removal.format === format && removal.only !== other,
  ).reduce((remaining, removal) => removal.remove(remaining, site), text);
}

/** The patterns of a site that removals need. */
export function buildRemovalPatterns(
  reading: ReadingCopy,
  { origin, hasSearch }: { origin: string; hasSearch: boolean },
): SitePatterns {
  const editions = editionsOf(reading);
  const anyEdition = (path: string) =>
    editions.map((edition) => escapeForRegExp(encodeURI(editionPath(edition, path)))).join("|");
  const escaped = escapeForRegExp(origin);
  const anyAddress = '(?:\\.md)?(?:[?#][^")\\s]*)?';
  // Matches links to the search page with parameters that the exported page ignores. The HTML page
  // reads only `q`; the Markdown page reads no parameters.
  const search = hasSearch ? '(?:\\.md\\?|\\?(?!q=))[^")\\s]*' : anyAddress;
  const pages = `(?:${SERVER_PAGES.map(anyEdition).join("|")})${anyAddress}`;
  return {
    origin: escaped,
    address: `(?:${escaped})?(?:(?:${anyEdition(SEARCH_PATH)})${search}|${pages})`,
    hasSearch,
  };
}
