import type { ReadingCopy } from "../library.ts";

/** Supported MCP protocol revisions, newest first. */
export const MCP_PROTOCOL_VERSIONS = [
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
] as const;

export const MCP_REQUESTS_PER_MINUTE_DEFAULT = 60;

export const MCP_PATH = "/mcp";

/** The MCP service's identity, at runtime and in the documents that announce it. */
export interface ServiceIdentity {
  /** Reverse DNS name of the host, then `/content`, as the server card schema requires. */
  name: string;
  title: string;
  version: string;
  /** At most 100 characters, the limit of the server card. */
  description: string;
  websiteUrl: string;
}

const DESCRIPTION_CHARACTERS_MAX = 100;

/** The identity of the MCP service, for `serverInfo`, the server card and the catalog entry. */
export function buildServiceIdentity(
  reading: Pick<ReadingCopy, "site">,
  { origin, version }: { origin: string; version: string },
): ServiceIdentity {
  const site = reading.site();
  return {
    name: `${reverseDomain(origin)}/content`,
    title: site.name,
    version,
    description: shortened(`Read-only search and Markdown text of what ${site.name} publishes`),
    websiteUrl: `${origin}/`,
  };
}

/** Reverses the host name. An IPv4 address is not reversed; an IPv6 address becomes `localhost`. */
function reverseDomain(origin: string): string {
  const { hostname } = new URL(origin);
  if (hostname.startsWith("[")) return "localhost";
  return /^[\d.]+$/.test(hostname) ? hostname : hostname.split(".").reverse().join(".");
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= DESCRIPTION_CHARACTERS_MAX) return text;
  return `${characters.slice(0, DESCRIPTION_CHARACTERS_MAX - 1).join("")}…`;
}
