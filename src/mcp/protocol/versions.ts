import { MCP_PROTOCOL_VERSIONS } from "../../content/site/service-identity.ts";

/** Revisions in which each request carries its own version, identity and capabilities. */
export const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];

/** The first revision. It predates the Streamable HTTP transport, but the service accepts its clients. */
const OLDEST_VERSION = "2024-11-05";

/** Every supported revision, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = [...MCP_PROTOCOL_VERSIONS, OLDEST_VERSION];

/** Protocol revisions whose sessions begin with an `initialize` request, newest first. */
export const LEGACY_VERSIONS: readonly string[] = SUPPORTED_VERSIONS.filter(
  (version) => !MODERN_VERSIONS.includes(version),
);

const NEWEST_LEGACY_VERSION = "2025-11-25";

/** The version for the `initialize` result: the requested one if supported, otherwise the newest. */
export function negotiateProtocolVersion(requested: unknown): string {
  return typeof requested === "string" && LEGACY_VERSIONS.includes(requested)
    ? requested
    : NEWEST_LEGACY_VERSION;
}
