import { agentSkill, agentSkillsIndex } from "./agent-skills.ts";
import { aiCatalog } from "./ai-catalog.ts";
import { apiCatalog } from "./api-catalog.ts";
import { atomFeed, atomFeedOfPage } from "./atom-feed.ts";
import { calendarOfItem, calendarOfList } from "./calendar.ts";
import type { DiscoveryDocument } from "./document.ts";
import { jsonFeed, jsonFeedOfPage } from "./json-feed.ts";
import { llmsFull } from "./llms-full.ts";
import { llmsPart, llmsSection } from "./llms-section.ts";
import { llmsTxt } from "./llms-txt.ts";
import { openSearchDescription } from "./open-search.ts";
import { robotsTxt } from "./robots.ts";
import { securityTxt } from "./security-txt.ts";
import { serverCard } from "./server-card.ts";
import { sitemap, sitemapPart } from "./sitemap.ts";

/** Every discovery document, in the order in which agents usually request them. */
export const DISCOVERY_DOCUMENTS: readonly DiscoveryDocument[] = [
  llmsTxt,
  llmsSection,
  llmsPart,
  llmsFull,
  robotsTxt,
  sitemap,
  sitemapPart,
  aiCatalog,
  agentSkillsIndex,
  agentSkill,
  serverCard,
  apiCatalog,
  securityTxt,
  openSearchDescription,
  atomFeed,
  jsonFeed,
  atomFeedOfPage,
  jsonFeedOfPage,
  calendarOfList,
  calendarOfItem,
];

export interface FoundDocument {
  document: DiscoveryDocument;
  parameters: Readonly<Record<string, string>>;
}

const DOCUMENTS_BY_PATH: ReadonlyMap<string, FoundDocument> = new Map(
  DISCOVERY_DOCUMENTS.flatMap((document) =>
    document.paths
      .filter((path) => !path.includes(":"))
      .map((path): [string, FoundDocument] => [path, { document, parameters: {} }]),
  ),
);

const DOCUMENT_PATTERNS = DISCOVERY_DOCUMENTS.flatMap((document) =>
  document.paths
    .filter((path) => path.includes(":"))
    .map((path) => ({ document, pattern: pathPattern(path) })),
);

/**
 * Matches the endings of document paths. Pages have no extension, so for most requests the path patterns of
 * the documents need not be tried.
 */
const DOCUMENT_ENDING = /\.(?:txt|xml|json|atom|ics|md)$/;

/**
 * The document for a decoded path; null if no document can have this path. Even if one can, it does not
 * always exist: its `render` then returns null.
 */
export function findDocument(path: string): FoundDocument | null {
  const exact = DOCUMENTS_BY_PATH.get(path);
  if (exact !== undefined) return exact;
  if (!DOCUMENT_ENDING.test(path)) return null;
  for (const { document, pattern } of DOCUMENT_PATTERNS) {
    const match = pattern.exec(path);
    if (match !== null) return { document, parameters: { ...match.groups } };
  }
  return null;
}

/** A pattern for paths: `:name` matches within one segment, `:name+` across several, as in URLPattern. */
function pathPattern(path: string): RegExp {
  const source = path
    .replaceAll(".", "\\.")
    .replaceAll(/:([a-z]+)\+/g, "(?<$1>.+)")
    .replaceAll(/:([a-z]+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
