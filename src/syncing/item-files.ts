import { pathFromFile } from "../content/import/file-path.ts";
import type { ContentTypes } from "../content/types/content-type.ts";

/** Far below the limit of file systems, because copies with the site's text have longer names. */
const SEGMENT_BYTES_MAX = 200;
const PATH_BYTES_MAX = 1000;
/** A folder that imports ignore. */
const LEFT_OUT = "node_modules";

/** Suffix of a copy with the site's text, made for a conflict. */
const COPY_ENDING = ".site";

/** The file of an item, below `content/`: `/help/faq` → `help/faq.md`. */
export function fileOfItem({ id, path }: { id: string; path: string }): string {
  const segments = path.slice(1).split("/");
  const isUsable =
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    segments.every((name) => name !== LEFT_OUT && Buffer.byteLength(name) <= SEGMENT_BYTES_MAX);
  if (!isUsable) return fileById(id);
  return `${path === "/" ? "index" : segments.join("/")}.md`;
}

/** The file of an item whose path is not a valid file name. */
export function fileById(id: string): string {
  return `items/${id}.md`;
}

export function copyFileName(file: string): string {
  return `${file}${COPY_ENDING}`;
}

/**
 * The location of a file after its item moves to a path. A file whose location determines the path
 * moves too; one whose front matter gives the path stays.
 */
export function fileAfterMove(
  item: { id: string; path: string; type: string },
  { file, pathBefore }: { file: string; pathBefore: string },
  types: ContentTypes,
): string {
  const fromPlace = pathFromFile(file, types.get(item.type)?.listPath ?? null);
  return fromPlace === item.path || fromPlace !== pathBefore ? file : fileOfItem(item);
}
