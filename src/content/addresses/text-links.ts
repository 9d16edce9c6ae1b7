import { AppError } from "../../errors.ts";
import { pathOfAddress } from "./site-path.ts";

/**
 * Matches link targets in Markdown (`[…](/path)`, `[…]: /path`, `</path>`) and in HTML
 * (`href="/path"`).
 */
const LINK_TARGETS = /(?:\]\(\s*<?|\]:\s*<?|<(?=\/|https?:)|\bhref\s*=\s*["']?)([^\s<>()"']+)/giu;
const LINKS_MAX = 1000;

/** The paths of this site that a Markdown text links to, without duplicates. */
export function findLinkedPaths(text: string, origin: string): string[] {
  const paths = new Set<string>();
  for (const [, target = ""] of text.matchAll(LINK_TARGETS)) {
    const path = ownPathOf(target, origin);
    if (path !== null) paths.add(path);
    if (paths.size === LINKS_MAX) break;
  }
  return [...paths];
}

function ownPathOf(target: string, origin: string): string | null {
  if (!target.startsWith("/") && !target.startsWith(`${origin}/`)) return null;
  try {
    return pathOfAddress(target.replace(/[?#].*$/u, ""), origin);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
