import { AppError } from "../../errors.ts";
import type { ContentType, ContentTypes } from "./content-type.ts";

/** @throws {AppError} `invalid`, listing the existing types. */
export function requireTypeNamed(types: ContentTypes, name: string): ContentType {
  const type = types.get(name);
  if (type !== undefined) return type;
  const knownNames = [...types.keys()].join(", ");
  throw new AppError(
    "invalid",
    {
      en: `There is no content type "${name}"; use one of ${knownNames}`,
      de: `Den Inhaltstyp „${name}“ gibt es nicht: Wählen Sie einen von ${knownNames}`,
    },
    {
      problems: [
        {
          where: "type",
          message: { en: `use one of ${knownNames}`, de: `Wählen Sie einen von ${knownNames}` },
        },
      ],
    },
  );
}
