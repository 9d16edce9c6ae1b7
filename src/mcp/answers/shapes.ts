import { z } from "zod";
import { LIST_LIMIT_MAX } from "../../content/lists/listing.ts";

export const limitInput = z.int().min(1).max(LIST_LIMIT_MAX).exactOptional();
export const cursorInput = z.string().exactOptional();
/** The order of a list: a sort name, "-" before it for descending. */
export const sortInput = z.string().exactOptional();

/** Absent on the last page. */
export const cursorOutput = z.string().exactOptional();
/** Rows have more members; the schema omits them because it is sent to agents in every conversation. */
export const rowOutput = z.looseObject({ url: z.string() });

/** The cursor of the next page, if there is one. */
export function nextPage(cursor: string | null): { next_cursor?: string } {
  return cursor === null ? {} : { next_cursor: cursor };
}

/**
 * A sort name with its direction, also as `year desc`; no direction if it is the default for that name.
 */
export function orderOf(sort: string | undefined) {
  const said = /^(?<minus>-?)(?<name>.*?)(?:[ :](?<word>asc|desc)(?:ending)?)?$/iu.exec(sort ?? "");
  const { minus, name, word = "" } = said?.groups ?? {};
  if (sort === undefined || name === undefined || minus + word === "") return { sort };
  const isDescending = minus === "-" || word.toLowerCase() === "desc";
  return { sort: name, direction: isDescending ? ("descending" as const) : ("ascending" as const) };
}
