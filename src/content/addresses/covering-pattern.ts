import type { PathResolution, ReadingCopy } from "../library.ts";
import { splitEditionPrefix } from "../site/editions.ts";
import { patternsCovering, redirectTargetFor } from "./address-patterns.ts";

/**
 * Resolves a path that has no item and no redirect of its own. Uses the most specific redirect pattern that
 * covers the path. Returns `absent` for the path of a list page, because patterns never replace list pages.
 * The pattern's target is resolved without patterns, so that patterns cannot loop.
 */
export function resolvePathByRedirectPattern(reading: ReadingCopy, path: string): PathResolution {
  if (isListPage(reading, path)) return { kind: "absent" };
  for (const pattern of patternsCovering(path)) {
    const found = reading.resolve(pattern);
    if (found.kind === "absent") continue;
    if (found.kind === "elsewhere") {
      return { ...found, url: redirectTargetFor(found.url, { pattern, path }) };
    }
    if (found.kind !== "moved") return found;
    const to = redirectTargetFor(found.to, { pattern, path });
    return to === found.to ? found : resolveFilled(reading, to);
  }
  return { kind: "absent" };
}

function resolveFilled(reading: ReadingCopy, to: string): PathResolution {
  const found = reading.resolve(to);
  if (found.kind === "item") return { kind: "moved", to };
  return found.kind === "absent" && isListPage(reading, to) ? { kind: "moved", to } : found;
}

function isListPage(reading: ReadingCopy, path: string): boolean {
  const { edition } = splitEditionPrefix(reading, path);
  return [...edition.types.values()].some(({ listPath }) => listPath === path);
}
