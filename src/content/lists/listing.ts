import { z } from "zod";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { ListPage, ListPosition, ListQuery, ReadingCopy } from "../library.ts";
import { type ContentType, sortOrdersOf } from "../types/content-type.ts";
import { relationViews } from "../types/relation-views.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type FilterArguments, parseFilters, requireTypes } from "./filters.ts";
import { largestIncomingRelationName } from "./hubs.ts";
import { invalidArgumentError } from "./invalid-list-request.ts";
import { toLanguageTag } from "./language-tags.ts";
import { singularAndPluralForms } from "./name-forms.ts";

export const LIST_LIMIT_MAX = 100;
export const LIST_LIMIT_DEFAULT = 20;

/**
 * A list request, for example from an MCP tool. Its values have these TypeScript types, but are otherwise
 * unchecked.
 */
export interface ListRequest {
  /** Types to list; empty or absent: all types. */
  types?: readonly string[] | undefined;
  /** Filters, keyed by the name of a field or relation; see {@link parseFilters}. */
  filters?: Readonly<Record<string, unknown>> | undefined;
  argumentNames?: FilterArguments["argumentNames"];
  /** The sort order; absent: the type's default. */
  sort?: string | undefined;
  /**
   * The direction of the sort; absent: descending for `updated` and counts, otherwise ascending.
   */
  direction?: "ascending" | "descending" | undefined;
  language?: string | undefined;
  notLanguages?: readonly string[] | undefined;
  /** ISO 8601 date or time. */
  updatedSince?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Checks a list request and converts it to a query.
 *
 * @throws {AppError} `invalid`, naming the wrong argument and what is allowed; `not_found` if a
 * filter names an unpublished item.
 */
export function buildListQuery(
  reading: ReadingCopy,
  request: ListRequest,
  origin: string,
): ListQuery {
  const types = requireTypes(reading.types(), request.types ?? []);
  const typeNames = (request.types ?? []).length === 0 ? [] : types.map(({ name }) => name);
  const sort = resolveSort(reading, types, request.sort);
  const { filters: given = {}, argumentNames } = request;
  const query: ListQuery = {
    types: typeNames,
    ...parseFilters(reading, typeNames, { given, origin, argumentNames }),
    sort,
    descending:
      request.direction === undefined
        ? sort === "updated" || sort.startsWith("count:")
        : request.direction === "descending",
    limit: requireValidLimit(request.limit),
  };
  if (request.language !== undefined) query.language = requireLanguageTag(request.language);
  if (request.notLanguages !== undefined) query.notLanguages = request.notLanguages;
  if (request.updatedSince !== undefined) query.updatedSince = checkedTime(request.updatedSince);
  if (request.cursor !== undefined && request.cursor !== "") {
    query.after = decodeCursor(request.cursor, queryKey(query), listPositionSchema);
  }
  return query;
}

export function encodeNextCursor(query: ListQuery, page: Pick<ListPage, "next">): string | null {
  return page.next === null
    ? null
    : encodeCursor(queryKey(query), serializeListPosition(page.next));
}

/** The names of the sorts for a type, such as `title`, a field, or `count:quotations`. */
export function listAvailableSorts(reading: ReadingCopy, type: ContentType): string[] {
  const types = reading.types();
  const counted = relationViews(types, type.name).filter(
    (view) => view.direction === "in" || type.relations[view.relation]?.symmetric === true,
  );
  return [...sortOrdersOf(type), ...new Set(counted.map((view) => `count:${view.name}`))];
}

export const listPositionSchema: z.ZodType<ListPosition> = z
  .tuple([z.union([z.string(), z.number(), z.null()]), z.int().min(0)])
  .transform(([value, row]) => ({ value, row }));

export function serializeListPosition({ value, row }: ListPosition): unknown {
  return [value, row];
}

/** The properties of a query that its cursors are bound to: all but the limit and the position. */
function queryKey(query: ListQuery): unknown {
  const { types, filters, links, language, notLanguages, updatedSince, sort, descending } = query;
  const narrowed = notLanguages === undefined ? [] : [notLanguages];
  return [
    types,
    filters,
    links,
    language ?? null,
    updatedSince ?? null,
    sort,
    descending,
    ...narrowed,
  ];
}

/**
 * Returns the sort with the given name or, if there is none, the sort that was probably meant: `quotations`
 * means `count:quotations`, `name` means `title`, and `count` means the number of links from the type with
 * the most items.
 *
 * @throws {AppError} `invalid` if at least one of the types does not have this sort.
 */
function resolveSort(
  reading: ReadingCopy,
  types: readonly ContentType[],
  given: string | undefined,
): string {
  const names = types.map((type) => listAvailableSorts(reading, type));
  const sharedNames =
    names[0]?.filter((name) => names.every((others) => others.includes(name))) ?? [];
  const defaultSort = types.length === 1 ? types[0]?.defaultSort : undefined;
  const wantedName = given ?? defaultSort ?? "title";
  const meant =
    sharedNames.find((name) => name === wantedName) ??
    sharedNames.find(sortMatcher(wantedName, types, reading));
  if (meant !== undefined) return meant;
  const shown = wantedName.slice(0, 80);
  throw invalidArgumentError("sort", (texts) => texts.sort(shown, sharedNames.join(", ")));
}

function sortMatcher(
  wanted: string,
  [type]: readonly ContentType[],
  reading: ReadingCopy,
): (name: string) => boolean {
  const text = wanted.toLowerCase();
  const countedView =
    text === "count" && type !== undefined ? largestIncomingRelationName(reading, type) : null;
  const forms = [countedView ?? text, ...singularAndPluralForms(text)];
  return (name) =>
    (text === "name" && name === "title") ||
    forms.some((form) => name === form || name === `count:${form}`);
}

/** @throws {AppError} `invalid` unless the limit is a whole number from 1 to 100. */
export function requireValidLimit(limit: number = LIST_LIMIT_DEFAULT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIST_LIMIT_MAX) return limit;
  throw wrongArgument("limit", `give a whole number from 1 to ${LIST_LIMIT_MAX}`);
}

/** @throws {AppError} `invalid` for a text that {@link toLanguageTag} does not recognise. */
export function requireLanguageTag(language: string): string {
  const tag = toLanguageTag(language);
  if (tag === null) throw invalidArgumentError("language", (texts) => texts.language);
  return tag;
}

const timeSchema = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

function checkedTime(text: string): string {
  const time = timeSchema.safeParse(text);
  if (time.success) return new Date(time.data).toISOString();
  throw wrongArgument(
    "updated_since",
    "give a date or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z",
  );
}

function wrongArgument(where: string, message: string): AppError {
  return new AppError("invalid", englishOnlyWording(`Cannot list: ${where}: ${message}`), {
    problems: [{ where, message: englishOnlyWording(message) }],
  });
}
