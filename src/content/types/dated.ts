import { z } from "zod";

const fieldName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, "is no name of a field");

/**
 * The fields that say when and where. Lists of the type are sorted by date and have a feed; those
 * of schema.org's `Event` also show upcoming items and have a calendar.
 */
export const datedSchema = z.strictObject({
  /** The day, or the first of several. */
  by: fieldName,
  /** The last day. */
  until: fieldName.exactOptional(),
  /** Times of day, as 19:30, in the time zone of the site. */
  time: fieldName.exactOptional(),
  untilTime: fieldName.exactOptional(),
  place: fieldName.exactOptional(),
  /** Where it takes place on the web. */
  address: fieldName.exactOptional(),
});

export type Dated = z.output<typeof datedSchema>;

interface DeclaredField {
  kind: string;
  filter?: boolean | undefined;
  sort?: boolean | undefined;
}

/** The fault in the declared names; null: none. */
export function datedFault(
  dated: Dated,
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

/** Whether a field of the type says at what time of day an item begins or ends. */
export function isTimeOfDay(
  { dated, fields }: { dated?: Dated; fields: Readonly<Record<string, DeclaredField>> },
  name: string,
): boolean {
  const isNamed = dated?.time === name || dated?.untilTime === name;
  return isNamed && fields[name]?.kind === "text";
}

/** Whether items of the type take place, so that some are to come and others over. */
export function takesPlace(
  type: { schemaOrg: string; dated?: Dated } | undefined,
): type is { schemaOrg: string; dated: Dated } {
  return type?.dated !== undefined && type.schemaOrg === "Event";
}
