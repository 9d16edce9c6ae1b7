import { markdownUrl, pageUrl } from "../content/addresses/addresses.ts";
import { sectionsInAnyEdition } from "../content/lists/sections.ts";
import {
  MCP_PATH,
  MCP_PROTOCOL_VERSIONS,
  MCP_REQUESTS_PER_MINUTE_DEFAULT,
} from "../content/site/service-identity.ts";
import { agentSkillsIndex } from "./agent-skills.ts";
import { aiCatalog } from "./ai-catalog.ts";
import { apiCatalog } from "./api-catalog.ts";
import type { DocumentContext } from "./document.ts";
import { keyRequestUrl } from "./key-request-url.ts";
import { serverCard } from "./server-card.ts";

/**
 * The home page for agents, at `/?mode=agent`: JSON instead of prose. No specification defines this format.
 */
export function renderAgentHomePageJson(context: DocumentContext): string {
  const { reading, origin } = context;
  const site = reading.site();
  const view = {
    kind: "agent-view",
    schemaVersion: "1.0",
    name: site.name,
    url: `${origin}/`,
    language: site.language,
    updatedAt: reading.updatedAt(),
    description: site.description,
    whenToUse: site.whenToUse,
    whenNotToUse: site.whenNotToUse,
    capabilities: capabilities(context),
    authentication: {
      type: "none",
      required: false,
      summary:
        "Reading pages, documents and search is open to all. Only the MCP service needs a key, as Authorization: Bearer, which administrators issue on request.",
    },
    endpoints: endpoints(context),
    rateLimits: {
      policy: `"key";q=${MCP_REQUESTS_PER_MINUTE_DEFAULT};w=60`,
      appliesTo: origin + MCP_PATH,
      summary: `${MCP_REQUESTS_PER_MINUTE_DEFAULT} MCP requests in any 60 seconds for each key; 429 states how long to wait`,
    },
    discovery: discovery(origin),
    sections: sectionsInAnyEdition(reading).map(({ type, listPath, count }) => ({
      title: type.plural,
      description: type.description,
      url: pageUrl(origin, listPath),
      markdown: markdownUrl(origin, listPath),
      count,
    })),
  };
  return `${JSON.stringify(view, null, 2)}\n`;
}

function capabilities({ reading }: DocumentContext): string[] {
  const kinds = sectionsInAnyEdition(reading).map(({ type }) => type.plural.toLowerCase());
  return [
    "read every page as Markdown",
    ...(kinds.length === 0 ? [] : [`browse ${kinds.join(", ")}`]),
    "search by words, phrases and names",
    "follow changes by feed",
    "with a key: search, list and follow relations through MCP",
  ];
}

function endpoints(context: DocumentContext) {
  const { origin } = context;
  return {
    markdown: { template: `${origin}{/path}.md`, negotiation: "Accept: text/markdown" },
    search: { template: `${origin}/search.md{?q}`, description: "Markdown; /search for HTML" },
    mcp: {
      url: origin + MCP_PATH,
      transport: "streamable-http",
      protocolVersions: MCP_PROTOCOL_VERSIONS,
      serverCard: `${origin}${serverCard.paths[0]}`,
      authentication: {
        type: "bearer",
        required: true,
        header: "Authorization",
        howToGetAKey: keyRequestUrl(context),
      },
    },
    feed: { url: `${origin}/feed.json`, atom: `${origin}/feed.atom` },
  };
}

function discovery(origin: string) {
  return {
    llmsTxt: `${origin}/llms.txt`,
    llmsFullTxt: `${origin}/llms-full.txt`,
    markdownHomepage: markdownUrl(origin, "/"),
    sitemap: `${origin}/sitemap.xml`,
    robots: `${origin}/robots.txt`,
    aiCatalog: `${origin}${aiCatalog.paths[0]}`,
    agentSkills: `${origin}${agentSkillsIndex.paths[0]}`,
    mcpServerCard: `${origin}${serverCard.paths[0]}`,
    apiCatalog: `${origin}${apiCatalog.paths[0]}`,
    openSearch: `${origin}/opensearch.xml`,
  };
}
