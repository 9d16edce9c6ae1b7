/**
 * Returns a function that checks whether a file, or a folder above it, has one of these names. `*`
 * matches any text, including slashes: it is better to leave out too much than to publish by
 * mistake.
 */
export function createExclusionMatcher(names: readonly string[]): (file: string) => boolean {
  const trimmed = names.map((name) => name.trim().replace(/^\.?\/|\/$/g, ""));
  const raw = trimmed.filter((name) => name !== "" && !name.startsWith("#"));
  const plain = new Set(raw.filter((name) => !name.includes("*")));
  const patterns = raw.filter((name) => name.includes("*")).map((name) => name.split(/\*+/));
  return (file) => {
    const parts = file.split("/");
    const paths = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    return paths.some((path) => plain.has(path) || patterns.some((each) => matches(path, each)));
  };
}

/**
 * Matches a path against a pattern, given as the texts between its asterisks. Uses no regular expression,
 * because backtracking could take a long time.
 */
function matches(path: string, literals: readonly string[]): boolean {
  const [first = "", ...others] = literals;
  const last = others.pop() ?? "";
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const text of others) {
    const found = path.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
