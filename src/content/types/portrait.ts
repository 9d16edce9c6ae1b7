import { z } from "zod";

const fieldNameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, "is not the name of a field");

/**
 * Names of two text fields: the address of the item's picture, such as `/media/….jpg`, and its required
 * credit.
 */
export const portraitFieldsSchema = z.strictObject({
  picture: fieldNameSchema,
  credit: fieldNameSchema,
});

export type PortraitFields = z.output<typeof portraitFieldsSchema>;

type DeclaredFields = Readonly<Record<string, { kind: string }>>;

/** The first problem with the declared names; null if there is none. */
export function findPortraitFieldsProblem(
  portrait: PortraitFields,
  fields: DeclaredFields,
): { key: string; message: string } | null {
  for (const [key, name] of Object.entries(portrait)) {
    if (fields[name]?.kind !== "text") return { key, message: `there is no text field "${name}"` };
  }
  return null;
}

/** Whether a field holds the address of a picture. */
export function isPictureField({ portrait }: { portrait?: PortraitFields }, name: string): boolean {
  return portrait?.picture === name;
}
