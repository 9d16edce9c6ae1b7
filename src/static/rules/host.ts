import type { FormerAnswer } from "../former-addresses.ts";

/** Name of the web root in the folder of an export. */
export const WEB_ROOT = "public";
/** Folder below the web root with the pages of withdrawn addresses, which a web server answers with 410. */
export const GONE_FOLDER = ".gone";

/** The input for the rules of a web server. */
export interface RuleInput {
  /** Absolute path of the web root. */
  root: string;
  origin: string;
  former: readonly FormerAnswer[];
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /** `Cache-Control` of pages. */
  pageCaching: string;
  /** Media types by extension, and by file name where they differ from that of the extension. */
  types: ReadonlyMap<string, string>;
  namedTypes: ReadonlyMap<string, string>;
  /** Content-Security-Policy of media by extension. */
  policies: ReadonlyMap<string, string>;
  /** Whether the export has a file of this name below the web root. */
  has(name: string): boolean;
  files: number;
}

export interface RuleFile {
  /** Relative to the folder of the export. */
  name: string;
  text: string;
}

/** The value of `export --static --for`. */
export const HOST_NAMES = ["nginx", "caddy", "netlify", "cloudflare", "github-pages"] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** A web server or hosting service for which an export writes rules. */
export interface Host {
  /** Whether it finds the files of `?page=2`; otherwise the number is moved into the path. */
  readsPageNumbers: boolean;
  /** Whether it answers withdrawn addresses with 410 and a page. */
  answersGone: boolean;
  rules(input: RuleInput): RuleFile[];
  /** Sentences on what the host cannot do with this site. */
  limits(input: RuleInput): string[];
}

/** Addresses whose content never changes. */
export const IMMUTABLE_FOLDERS = ["assets", "media"];
export const CACHE_FOREVER = "public, max-age=31536000, immutable";

/** Encoded as in a request line. */
export function encodedAddress(address: string): string {
  const [path = "", ...query] = address.split("?");
  const encoded = encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);
  return query.length === 0 ? encoded : `${encoded}?${query.join("?")}`;
}

/** The path before `*`; null: not a pattern. */
export function patternFolder(from: string): string | null {
  return from.endsWith("/*") ? from.slice(0, -1) : null;
}
