import { dayInZone } from "../site/time-zone.ts";
import type { ContentType } from "../types/content-type.ts";
import { isNewsType } from "../types/date-fields.ts";
import type { PublicationState } from "./statuses.ts";

/**
 * Adds the day of publication to news published without a day, because lists and feeds sort news by
 * day. A draft gets no day until it is published.
 */
export function withNewsDay<Value>(
  fields: Readonly<Record<string, Value>>,
  type: ContentType | undefined,
  { publication, timeZone }: { publication: PublicationState; timeZone: string },
): Readonly<Record<string, Value | string>> {
  const { status, publishedAt } = publication;
  if (!isNewsType(type) || status !== "published" || publishedAt === null) return fields;
  const { by } = type.dated;
  return { ...fields, [by]: fields[by] ?? dayInZone(timeZone, publishedAt) };
}
