/** Suffix of a pattern: `/blog/*` matches `/blog` and every address below it. */
const EVERYTHING_BELOW = "/*";
/** Placeholder in the target of a pattern, for the part of the requested path after the pattern's folder. */
export const SPLAT_PLACEHOLDER = ":splat";
/**
 * Maximum number of folders before the `*` of a pattern. Limits the look-ups for an address that matches
 * nothing else: one for each covering pattern.
 */
export const PATTERN_SEGMENTS_MAX = 8;

export function isAddressPattern(from: string): boolean {
  return from.endsWith(EVERYTHING_BELOW);
}

/** The folder of a pattern: `/blog` for `/blog/*`. */
export function folderOfPattern(pattern: string): string {
  return pattern.slice(0, -EVERYTHING_BELOW.length);
}

export function patternOfFolder(folder: string): string {
  return folder + EVERYTHING_BELOW;
}

/** The patterns that cover a path, the most specific first. */
export function patternsCovering(path: string): string[] {
  const segments = path.slice(1).split("/", PATTERN_SEGMENTS_MAX);
  return segments
    .map((_, at) => patternOfFolder(`/${segments.slice(0, at + 1).join("/")}`))
    .reverse();
}

/**
 * Returns the redirect target for a path that the pattern covers. Replaces `:splat` with the part of `path`
 * after the pattern's folder. The replacement can only extend the path of `target`, so visitors cannot choose
 * another host.
 */
export function redirectTargetFor(
  target: string,
  { pattern, path }: { pattern: string; path: string },
): string {
  if (!target.includes(SPLAT_PLACEHOLDER)) return target;
  const tail = path.slice(folderOfPattern(pattern).length + 1);
  if (target.startsWith("/")) {
    const filled = target.replace(SPLAT_PLACEHOLDER, () => tail);
    return filled.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  }
  const encoded = tail.split("/").map(encodeURIComponent).join("/");
  return target.replace(SPLAT_PLACEHOLDER, () => encoded);
}

/** The query of a former address such as `/?p=12`, in one spelling: sorted and encoded. */
export function canonicalQuery(query: URLSearchParams): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return sorted.toString();
}
