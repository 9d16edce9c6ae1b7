import type { Completer } from "./mcp-features.ts";

/** Maximum number of completions that the protocol allows. */
export const COMPLETIONS_MAX = 100;
/** One more than the limit, to detect whether there are more completions. */
const VALUES_MAX = COMPLETIONS_MAX + 1;

/** Completes names of published items of a type, ignoring case and accents. */
export function createTitleCompleter(typeName: string): Completer {
  return (typed, { reading }) =>
    typed.trim() === ""
      ? [...reading.index({ type: typeName, limit: VALUES_MAX })].map(({ title }) => title)
      : reading
          .itemsByName(typed, { type: typeName, isExact: false, limit: VALUES_MAX })
          .map(({ title }) => title);
}

/**
 * Completes slugs: the part of an item's path after the list path of its type. Accepts the start of a
 * slug or of a name.
 */
export function createSlugCompleter(typeName: string, listPath: string): Completer {
  const slugOf = ({ path }: { path: string }) =>
    path.startsWith(`${listPath}/`) ? [path.slice(listPath.length + 1)] : [];
  return (typed, { reading }) =>
    typed.trim() === ""
      ? [...reading.index({ type: typeName, limit: VALUES_MAX })].flatMap(slugOf)
      : reading
          .itemsByName(typed.replaceAll("-", " "), {
            type: typeName,
            isExact: false,
            limit: VALUES_MAX,
          })
          .flatMap(slugOf);
}
