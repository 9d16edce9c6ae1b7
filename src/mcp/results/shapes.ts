import { z } from "zod";
import { LIST_LIMIT_MAX } from "../../content/lists/listing.ts";

export const limitInput = z.int().min(1).max(LIST_LIMIT_MAX).exactOptional();
export const cursorInput = z.string().exactOptional();
/** The order of a list: a sort name, with "-" before it for descending. */
export const sortInput = z.string().exactOptional();

/** The cursor of the next page; absent on the last page. */
export const cursorOutput = z.string().exactOptional();
/**
 * Rows also have properties that this schema omits. Omitting them saves tokens, because agents receive the
 * schema in every conversation.
 */
export const rowOutput = z.looseObject({ url: z.string() });

/** The cursor of the next page, if there is one. */
export function nextCursorProperty(cursor: string | null): { next_cursor?: string } {
  return cursor === null ? {} : { next_cursor: cursor };
}

/**
 * Parses a sort name and its direction, as in `-year` or `year desc`. If no direction is given, the
 * default of the sort applies.
 */
export function parseSort(sort: string | undefined) {
  const match = /^(?<minus>-?)(?<name>.*?)(?:[ :](?<word>asc|desc)(?:ending)?)?$/iu.exec(
    sort ?? "",
  );
  const { minus, name, word = "" } = match?.groups ?? {};
  if (sort === undefined || name === undefined || minus + word === "") return { sort };
  const isDescending = minus === "-" || word.toLowerCase() === "desc";
  return { sort: name, direction: isDescending ? ("descending" as const) : ("ascending" as const) };
}
