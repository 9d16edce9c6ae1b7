/**
 * Returns a test of whether a file, or a folder around it, has one of these names. `*` matches any
 * text, including slashes: better to leave out too much than to publish by mistake.
 */
export function leftOutBy(names: readonly string[]): (file: string) => boolean {
  const bare = names.map((name) => name.trim().replace(/^\.?\/|\/$/g, ""));
  const raw = bare.filter((name) => name !== "" && !name.startsWith("#"));
  const plain = new Set(raw.filter((name) => !name.includes("*")));
  const patterns = raw.filter((name) => name.includes("*")).map((name) => name.split(/\*+/));
  return (file) => {
    const parts = file.split("/");
    const paths = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    return paths.some((path) => plain.has(path) || patterns.some((each) => matches(path, each)));
  };
}

/**
 * `between`: the texts around each `*`. Avoids a regular expression, whose backtracking could take
 * long.
 */
function matches(path: string, between: readonly string[]): boolean {
  const [first = "", ...others] = between;
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
