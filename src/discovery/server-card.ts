import {
  buildServiceIdentity,
  MCP_PATH,
  MCP_PROTOCOL_VERSIONS,
} from "../content/site/service-identity.ts";
import type { DiscoveryDocument } from "./document.ts";
import { keyRequestUrl } from "./key-request-url.ts";

/**
 * The MCP server card (SEP-2127), at its specified path and at another path that scanners try. The
 * member `serverInfo` and the members after it follow SEP-1649, which some clients still support. The
 * schema allows additional members.
 */
export const serverCard: DiscoveryDocument = {
  name: "MCP server card",
  paths: ["/.well-known/mcp/server-card.json", `${MCP_PATH}/server-card`],
  contentType: "application/mcp-server-card+json",
  headers: () => ({
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "Content-Type, If-None-Match",
  }),
  render(context) {
    const { name, title, version, description, websiteUrl } = buildServiceIdentity(
      context.reading,
      context,
    );
    const url = context.origin + MCP_PATH;
    const card = {
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      name,
      version,
      title,
      description,
      websiteUrl,
      remotes: [
        {
          type: "streamable-http",
          url,
          supportedProtocolVersions: MCP_PROTOCOL_VERSIONS,
          headers: [authorizationHeader(keyRequestUrl(context))],
        },
      ],
      serverInfo: { name, title, version },
      transport: { type: "streamable-http", endpoint: url },
      protocolVersion: MCP_PROTOCOL_VERSIONS[0],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      authentication: { required: true, schemes: ["bearer"] },
    };
    return `${JSON.stringify(card, null, 2)}\n`;
  },
};

function authorizationHeader(contact: string) {
  return {
    name: "Authorization",
    description: `A key issued by the administrators; ask at ${contact}`,
    isRequired: true,
    isSecret: true,
    value: "Bearer {api_key}",
    variables: {
      api_key: {
        description: "The key, as it was shown when it was issued",
        isRequired: true,
        isSecret: true,
        placeholder: "cpl_…",
      },
    },
  };
}
