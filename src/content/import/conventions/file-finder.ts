/** Finds the file that a link in the file `from` names; `from` is empty for links from the top folder. */
export type FileFinder = (name: string, from: string) => string | undefined;

/**
 * Returns a function that finds the file that a link names. A link may give a file's path from the folder
 * of the linking file, its path from the top folder, or the end of its path. Shorter paths take precedence.
 * Case is ignored, and `.md` may be omitted.
 */
export function createFileFinder(files: readonly string[]): FileFinder {
  const byPath = new Map<string, string>();
  const byEnd = new Map<string, string>();
  for (const file of files.toSorted((one, other) => one.length - other.length)) {
    const path = pathKey(file);
    if (!byPath.has(path)) byPath.set(path, file);
    for (const end of endsOf(path)) if (!byEnd.has(end)) byEnd.set(end, file);
  }
  const inMap = (map: ReadonlyMap<string, string>, key: string) =>
    map.get(key) ?? map.get(`${key}.md`);
  return (name, from) => {
    const key = pathKey(name);
    return (
      inMap(byPath, resolvedPath(key, pathKey(from))) ?? inMap(byPath, key) ?? inMap(byEnd, key)
    );
  };
}

/** Resolves a link's path relative to the folder of `from`. */
function resolvedPath(path: string, from: string): string {
  const resolved = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") resolved.pop();
    else if (part !== ".") resolved.push(part);
  }
  return resolved.join("/");
}

function pathKey(path: string): string {
  return path.normalize("NFC").toLowerCase().replace(/^\//, "");
}

const FOLDERS_IN_END_MAX = 10;

/** The ends of a path: `c.md`, `b/c.md`, `a/b/c.md`. */
function endsOf(path: string): string[] {
  const parts = path.split("/");
  const count = Math.min(parts.length, FOLDERS_IN_END_MAX);
  return Array.from({ length: count }, (_, at) => parts.slice(-at - 1).join("/"));
}
