import { deriveDefaultSitePath } from "../content/import/file-path.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { isReservedOnWindows } from "../files/path-below.ts";

/**
 * Limit on a path segment. It is well below the limit of file systems, because conflict copies have
 * longer names.
 */
const SEGMENT_BYTES_MAX = 200;
const PATH_BYTES_MAX = 1000;
/** Imports ignore folders of this name. */
const IGNORED_FOLDER = "node_modules";

/** Suffix of the copy that shows the site's text in a conflict. */
const COPY_SUFFIX = ".site";

/** The default file of an item: `help/faq.md` for `/help/faq`. */
export function defaultFileName({ id, path }: { id: string; path: string }): string {
  const segments = path.slice(1).split("/");
  const isUsable =
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    segments.every(
      (name) =>
        name !== IGNORED_FOLDER &&
        // Checked on every system, because folders are copied to other computers.
        !isReservedOnWindows(name) &&
        Buffer.byteLength(name) <= SEGMENT_BYTES_MAX,
    );
  if (!isUsable) return fallbackFileName(id);
  return `${path === "/" ? "index" : segments.join("/")}.md`;
}

/** The file of an item whose default file name is invalid or taken. */
export function fallbackFileName(id: string): string {
  return `items/${id}.md`;
}

/** The name of a file's conflict copy, which shows the site's text in a conflict. */
export function conflictCopyName(file: string): string {
  return `${file}${COPY_SUFFIX}`;
}

export function isConflictCopy(file: string): boolean {
  return file.endsWith(COPY_SUFFIX);
}

/**
 * The file of an item after its path changed on the site. The file moves too, unless its front matter states
 * the path.
 */
export function fileNameAfterMove(
  item: { id: string; path: string; type: string },
  { file, pathBefore }: { file: string; pathBefore: string },
  types: ContentTypes,
): string {
  const pathByLocation = deriveDefaultSitePath(file, types.get(item.type)?.listPath ?? null);
  return pathByLocation === item.path || pathByLocation !== pathBefore
    ? file
    : defaultFileName(item);
}

/**
 * Returns a function that assigns each item a unique file name, the same that `sync` assigns.
 * Treats names that differ only in case as equal, because many file systems do.
 */
export function createUniqueFileNamer(): (item: { id: string; path: string }) => string {
  const taken = new Set<string>();
  return (item) => {
    const file = defaultFileName(item);
    if (taken.has(file.toLowerCase())) return fallbackFileName(item.id);
    taken.add(file.toLowerCase());
    return file;
  };
}
