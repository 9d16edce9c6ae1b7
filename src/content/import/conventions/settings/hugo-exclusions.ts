import { isRecord } from "../../item-parsing.ts";
import { createGlobMatcher, createRegexMatcher } from "./globs.ts";

interface Mount {
  /** The folder, ending with a slash. */
  source: string;
  isExcluded: (path: string) => boolean;
}

/**
 * Returns a function that checks whether Hugo's settings exclude a content file. True if `ignoreFiles`
 * matches the file, or if every mount whose folder contains the file excludes it.
 */
export function createHugoExclusionMatcher(
  ignoreFiles: unknown,
  mounts: unknown,
): (file: string) => boolean {
  const isIgnored = createRegexMatcher(textsIn(ignoreFiles));
  const contentMounts = [mounts ?? []].flat().flatMap((raw) => mountOf(raw) ?? []);
  return (file) => {
    if (isIgnored(`/${file}`)) return true;
    const having = contentMounts.filter(({ source }) => file.startsWith(source));
    return (
      having.length > 0 &&
      having.every(({ source, isExcluded }) => isExcluded(file.slice(source.length)))
    );
  };
}

function mountOf(raw: unknown): Mount | null {
  if (!isRecord(raw) || typeof raw["source"] !== "string") return null;
  if (!/^content(?:\/|$)/.test(String(raw["target"]))) return null;
  const lower = Object.fromEntries(
    Object.entries(raw).map(([key, each]) => [key.toLowerCase(), each]),
  );
  const files = textsIn(lower["files"]);
  const excluding = files.flatMap((each) => /^!\s*(.*)/.exec(each)?.[1] ?? []);
  const including = files.filter((each) => !each.startsWith("!"));
  const included = [...textsIn(lower["includefiles"]), ...including];
  const isExcluded = createGlobMatcher([...textsIn(lower["excludefiles"]), ...excluding]);
  const isIncluded = createGlobMatcher(included);
  return {
    source: `${raw["source"].replace(/^\.\/|\/+$/g, "")}/`,
    isExcluded: (path) => isExcluded(path) || (included.length > 0 && !isIncluded(path)),
  };
}

function textsIn(raw: unknown): string[] {
  return [raw ?? []].flat().filter((each) => typeof each === "string");
}
