import type { Problem, Wording } from "../../errors.ts";
import { linkedMedia, readMediumFile } from "../media/media-kinds.ts";
import type { FieldValue } from "../types/content-type.ts";
import type { Portrait } from "../types/portrait.ts";

export const PICTURE_FORM: Wording = {
  en: "give the address of a picture of this site, as /media/….jpg",
  de: "Geben Sie die Adresse eines Bildes dieser Website an, als /media/….jpg",
};

/** The root-relative address of the picture that a text names; null if it names none, or several. */
export function pictureAddress(text: string): string | null {
  const [address, ...others] = linkedMedia({ body: text, fields: {} }).values();
  if (address === undefined || others.length > 0) return null;
  const file = readMediumFile(address.slice("/media/".length));
  return file?.kind.use === "picture" ? address : null;
}

/** Reports a portrait without a credit; null if it has one. */
export function uncreditedProblem(
  fields: Readonly<Record<string, FieldValue>>,
  portrait: Portrait | undefined,
): Problem | null {
  if (portrait === undefined) return null;
  const { picture, credit } = portrait;
  if (fields[picture] === undefined || fields[credit] !== undefined) return null;
  return {
    where: `fields.${credit}`,
    message: {
      en: "is missing: say who made the picture, and under which licence it is shown",
      de: "fehlt: Geben Sie an, von wem das Bild ist und unter welcher Lizenz es gezeigt wird",
    },
  };
}
