import { z } from "zod";

const fieldNameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, "is not the name of a field");

/**
 * The names of a type's fields with dates, times and places. A type that declares these names is a
 * dated type: its list is sorted by date and has a feed. If its schema.org type is `Event`, the
 * list also shows upcoming items and has a calendar.
 */
export const dateFieldsSchema = z.strictObject({
  /** The field with the day, or the first day. */
  by: fieldNameSchema,
  /** The field with the last day. */
  until: fieldNameSchema.exactOptional(),
  /** The field with the time of day at which an item begins, such as 19:30, in the site's time zone. */
  time: fieldNameSchema.exactOptional(),
  untilTime: fieldNameSchema.exactOptional(),
  place: fieldNameSchema.exactOptional(),
  /** The field with the URL of an event that takes place online. */
  address: fieldNameSchema.exactOptional(),
});

export type DateFields = z.output<typeof dateFieldsSchema>;

interface DeclaredField {
  kind: string;
  filter?: boolean | undefined;
  sort?: boolean | undefined;
}

/** The first problem with the declared names; null if there is none. */
export function findDateFieldsProblem(
  dated: DateFields,
  fields: Readonly<Record<string, DeclaredField>>,
): { key: string; message: string } | null {
  for (const [key, name] of Object.entries(dated)) {
    const field = fields[name];
    if (field === undefined) return { key, message: `there is no field "${name}"` };
    const isDay = key === "by" || key === "until";
    if (isDay && (field.kind !== "date" || field.filter !== true || field.sort !== true)) {
      return { key, message: `the field "${name}" must be a date with filter and sort` };
    }
  }
  return null;
}

/** Whether a field holds the time of day at which an item begins or ends. */
export function isTimeOfDayField(
  { dated, fields }: { dated?: DateFields; fields: Readonly<Record<string, DeclaredField>> },
  name: string,
): boolean {
  const isNamed = dated?.time === name || dated?.untilTime === name;
  return isNamed && fields[name]?.kind === "text";
}

/** Whether items of the type are events, which are upcoming, current or past. */
export function isEventType(
  type: { schemaOrg: string; dated?: DateFields } | undefined,
): type is { schemaOrg: string; dated: DateFields } {
  return type?.dated !== undefined && type.schemaOrg === "Event";
}

/** Whether items of the type are news, dated by the day they are published. */
export function isNewsType(
  type: { schemaOrg: string; dated?: DateFields } | undefined,
): type is { schemaOrg: string; dated: DateFields } {
  return type?.dated !== undefined && type.schemaOrg === "NewsArticle";
}
