import type { Problem, Wording } from "../../errors.ts";
import { extractMediaPathsById, parseMediaFileName } from "../media/media-kinds.ts";
import type { ContentType, FieldValue } from "../types/content-type.ts";
import type { PortraitFields } from "../types/portrait.ts";

const MEDIA_FOLDER = "/media/";

export const PICTURE_HINT: Wording = {
  en: "give the address of a picture of this site, as /media/….jpg",
  de: "Geben Sie die Adresse eines Bildes dieser Website an, als /media/….jpg",
};

/**
 * The root-relative address of the picture in a text. Null unless the text contains exactly one
 * file of this site, and that file is a picture. Also null if the address is only part of a longer
 * address, such as a URL on another site.
 */
export function findOnlyPicturePath(text: string): string | null {
  const [address, ...others] = extractMediaPathsById({ body: text, fields: {} }).values();
  if (address === undefined || others.length > 0) return null;
  if (!text.split(/[\s()<>]/).includes(address)) return null;
  const file = parseMediaFileName(address.slice(MEDIA_FOLDER.length));
  return file?.kind.use === "picture" ? address : null;
}

/**
 * Returns the fields of an item. If the portrait is a file of the site at `origin`, its address is
 * made root-relative.
 */
export function withRelativePortrait<Value>(
  fields: Readonly<Record<string, Value>>,
  { portrait }: ContentType,
  origin: string,
): Readonly<Record<string, Value | string>> {
  const text = portrait === undefined ? undefined : fields[portrait.picture];
  if (portrait === undefined || typeof text !== "string") return fields;
  return { ...fields, [portrait.picture]: text.replace(origin + MEDIA_FOLDER, MEDIA_FOLDER) };
}

/** Reports a portrait that has no credit. Returns null if there is no such problem. */
export function findUncreditedPortraitProblem(
  fields: Readonly<Record<string, FieldValue>>,
  portrait: PortraitFields | undefined,
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
