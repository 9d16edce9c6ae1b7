import { pageUrl } from "../content/addresses/addresses.ts";
import { firstPublishedPath, sectionsInAnyEdition } from "../content/lists/sections.ts";
import { buildServiceIdentity } from "../content/site/service-identity.ts";
import { starterAboutPagePath } from "../content/site/starter-site.ts";
import { computeSkillDigest } from "./agent-skills.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import { serverCard } from "./server-card.ts";
import { skillPath, skillsWithContent } from "./skills/skills.ts";

/**
 * AI Catalog 1.0, in the stricter profile ARD 0.9, so that clients of either specification accept
 * the document. The publisher is identified by a domain, because a DID would require another
 * document.
 */
export const aiCatalog: DiscoveryDocument = {
  name: "AI catalog",
  paths: ["/.well-known/ai-catalog.json"],
  contentType: "application/ai-catalog+json",
  render(context) {
    const { reading, origin } = context;
    const { name, organization, language } = reading.site();
    const host = {
      displayName: name,
      identifier: publisherDomain(origin),
      documentationUrl: pageUrl(
        origin,
        firstPublishedPath(reading, starterAboutPagePath(language), "/about"),
      ),
      ...(organization.logo === undefined ? {} : { logoUrl: organization.logo }),
    };
    const entries = [mcpEntry(context), ...skillEntries(context)];
    return `${JSON.stringify({ specVersion: "1.0", host, entries }, null, 2)}\n`;
  },
};

function mcpEntry(context: DocumentContext) {
  const { reading, origin } = context;
  const { title, description } = buildServiceIdentity(reading, context);
  return {
    identifier: `urn:air:${publisherDomain(origin)}:mcp:content`,
    displayName: title,
    type: serverCard.contentType,
    url: `${origin}${serverCard.paths[0]}`,
    description,
    tags: ["mcp", ...sectionsInAnyEdition(reading).map(({ type }) => type.plural.toLowerCase())],
    representativeQueries: serviceQueries(context),
    publisher: publisher(context),
  };
}

function skillEntries(context: DocumentContext) {
  const { origin } = context;
  return skillsWithContent(context.reading).map((skill) => ({
    identifier: `urn:air:${publisherDomain(origin)}:skill:${skill.name}`,
    displayName: skill.title,
    type: 'text/markdown; profile="urn:air:agent-skills"',
    url: origin + skillPath(skill),
    digest: computeSkillDigest(skill, context),
    description: skill.description(context),
    tags: ["skill"],
    representativeQueries: skill.questions,
    publisher: publisher(context),
  }));
}

function publisher({ reading, origin }: DocumentContext) {
  return {
    identifier: publisherDomain(origin),
    displayName: reading.site().name,
    identityType: "dns",
  };
}

/** Example queries; ARD requires two to five. */
function serviceQueries({ reading }: DocumentContext): string[] {
  const { whenToUse, name } = reading.site();
  return [...whenToUse.slice(0, 4), `what has ${name} published on a subject`];
}

/**
 * The domain of the publisher. `localhost` and IPv4 addresses are unchanged. Validators warn about
 * these hosts, but the formats allow them, and an invented domain might exist. An IPv6 address
 * becomes `localhost`, because a URN cannot contain its characters.
 */
function publisherDomain(origin: string): string {
  const { hostname } = new URL(origin);
  return hostname.startsWith("[") ? "localhost" : hostname;
}
