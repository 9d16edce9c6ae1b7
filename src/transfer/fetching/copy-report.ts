import type { SkippedUrls } from "./crawl-queue.ts";

export interface CopyCounts {
  pages: number;
  files: number;
  redirects: number;
  /** Number of pages and files that are the same as in the earlier copy. */
  unchanged: number;
}

export interface CopyReport extends CopyCounts {
  /** Addresses that could not be fetched, with the reason. */
  failed: { url: string; reason: string }[];
  /** Addresses that an earlier copy had and the site no longer has. */
  gone: string[];
  /** Addresses that were not requested, keyed by reason. */
  leftOut: ReadonlyMap<string, SkippedUrls>;
  /**
   * Number of addresses on hosts other than the site's, keyed by host. These addresses are not followed.
   */
  otherHosts: ReadonlyMap<string, number>;
  /** Whether addresses were left out because of a limit. */
  isCut: boolean;
  /** Whether the copy ended early, because the host no longer answered. */
  isStopped: boolean;
  /** Whether the first page names the REST interface of WordPress. */
  isWordPress: boolean;
}

/** Maximum number of addresses or hosts listed in a line. */
const LISTED_MAX = 5;

/**
 * Joins the first addresses or hosts in one line.
 *
 * @param count the number of all addresses or hosts. `entries` may contain fewer.
 */
export function joinFirstEntries(entries: readonly string[], count: number): string {
  return entries.slice(0, LISTED_MAX).join(", ") + (count > LISTED_MAX ? ", …" : "");
}
