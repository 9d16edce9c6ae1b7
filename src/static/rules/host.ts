import type { FormerAddressResponse } from "../former-addresses.ts";

/** Name of the web root in the export folder. */
export const WEB_ROOT = "public";
/**
 * Folder in the web root with the pages for withdrawn addresses. Web servers send these pages with
 * status 410.
 */
export const GONE_FOLDER = ".gone";

/** The input for the rules of a web server. */
export interface HostRulesInput {
  /** Absolute path of the web root. */
  root: string;
  origin: string;
  former: readonly FormerAddressResponse[];
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
  /** `Cache-Control` of pages. */
  pageCaching: string;
  /** Media types, keyed by file extension. */
  types: ReadonlyMap<string, string>;
  /** Media types, keyed by file name, for files whose type differs from the type of their extension. */
  namedTypes: ReadonlyMap<string, string>;
  /** Content-Security-Policy of media files, keyed by file extension. */
  policies: ReadonlyMap<string, string>;
  /** Paths of the pages that run a script of the site. */
  scriptPaths: readonly string[];
  /** Size in bytes of each file of the export, keyed by its path in the web root. */
  files: ReadonlyMap<string, number>;
}

export interface HostRulesFile {
  /** Path in the export folder. */
  name: string;
  text: string;
}

/** Values of `export --static --for`. */
export const EXPORT_HOST_NAMES = [
  "nginx",
  "caddy",
  "netlify",
  "cloudflare",
  "github-pages",
] as const;
export type ExportHostName = (typeof EXPORT_HOST_NAMES)[number];

/** A web server or hosting service for which an export writes rules. */
export interface ExportHost {
  /**
   * Whether the host can serve a file for `?page=2`. If not, links have this number in the path.
   */
  readsPageNumbers: boolean;
  /** Whether the host answers withdrawn addresses with 410 and a page. */
  answersGone: boolean;
  rules(input: HostRulesInput): HostRulesFile[];
  /** Sentences that say which features of this site the host does not support. */
  limits(input: HostRulesInput): string[];
}

/** Folders of the web root in which files never change. */
export const IMMUTABLE_FOLDERS = ["assets", "media"];
export const IMMUTABLE_CACHE_CONTROL = "public, max-age=31536000, immutable";

/** The Content-Security-Policy of pages that run a script of the site. */
export function scriptContentSecurityPolicy({ headers }: Pick<HostRulesInput, "headers">): string {
  return `${headers["Content-Security-Policy"]}; script-src 'self'`;
}

/** Percent-encodes an address as in an HTTP request line. */
export function encodeRequestTarget(address: string): string {
  const [path = "", ...query] = address.split("?");
  const encoded = encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);
  return query.length === 0 ? encoded : `${encoded}?${query.join("?")}`;
}

/** Returns the part of a pattern before `*`; null if the address is not a pattern. */
export function wildcardPrefix(from: string): string | null {
  return from.endsWith("/*") ? from.slice(0, -1) : null;
}
