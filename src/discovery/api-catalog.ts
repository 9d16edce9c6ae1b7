import { MCP_PATH } from "../content/site/service-identity.ts";
import type { DiscoveryDocument } from "./document.ts";
import { serverCard } from "./server-card.ts";

const API_CATALOG_PROFILE = "https://www.rfc-editor.org/info/rfc9727";

/** RFC 9727: a linkset (RFC 9264) of APIs. The MCP service is the only public API. */
export const apiCatalog: DiscoveryDocument = {
  name: "api-catalog",
  paths: ["/.well-known/api-catalog"],
  contentType: `application/linkset+json;profile="${API_CATALOG_PROFILE}"`,
  headers: ({ origin }) => ({ link: `<${origin}/.well-known/api-catalog>; rel="api-catalog"` }),
  render({ origin }) {
    const mcp = origin + MCP_PATH;
    const linkset = [
      { anchor: `${origin}/.well-known/api-catalog`, item: [{ href: mcp }] },
      {
        anchor: mcp,
        "service-desc": [{ href: `${origin}${serverCard.paths[0]}`, type: serverCard.contentType }],
        "service-doc": [{ href: `${origin}/llms.txt`, type: "text/markdown" }],
      },
    ];
    return `${JSON.stringify({ linkset }, null, 2)}\n`;
  },
};
