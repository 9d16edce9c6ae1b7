import { pathFromPlace } from "../content/import/file-path.ts";
import type { ContentTypes } from "../content/types/content-type.ts";

/** Far below the limit of file systems, as a copy with the text of the site gets a longer name. */
const SEGMENT_BYTES_MAX = 200;
const PATH_BYTES_MAX = 1000;
/** A folder that an import leaves out. */
const LEFT_OUT = "node_modules";

/** The ending of a copy that shows what the site says where both sides changed the same. */
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

/** The file of an item whose path makes no name of a file. */
export function fileById(id: string): string {
  return `items/${id}.md`;
}

export function copyOf(file: string): string {
  return `${file}${COPY_ENDING}`;
}

/**
 * The place of a file once its item is at a path. A file whose place determines the path moves
 * along; one that states the path stays.
 */
export function placeOfItem(
  item: { id: string; path: string; type: string },
  { file, pathBefore }: { file: string; pathBefore: string },
  types: ContentTypes,
): string {
  const fromPlace = pathFromPlace(file, types.get(item.type)?.listPath ?? null);
  return fromPlace === item.path || fromPlace !== pathBefore ? file : fileOfItem(item);
}
