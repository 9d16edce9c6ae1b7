import type { Wording } from "../../../errors.ts";
import { editDistance } from "../../../search/language/similarity.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";

const EDIT_DISTANCE_MAX = 3;

export function unknownTypeProblem(
  raw: unknown,
  types: ContentTypes,
): { where: string; message: Wording; name: string } {
  const known = [...types.keys()].join(", ");
  const message = {
    en: `there is no content type ${shownType(raw)}; use one of ${known}`,
    de: `die Art ${shownType(raw)} gibt es nicht; nehmen Sie eine von diesen: ${known}`,
  };
  return { where: "type", message, name: `type: ${shownType(raw)}` };
}

function shownType(type: unknown): string {
  if (typeof type !== "string") return type === undefined || type === null ? "null" : "like this";
  return JSON.stringify(type.length > 80 ? `${type.slice(0, 79)}…` : type);
}

/** @param itemKeys the keys that items of every type have. */
export function unknownKeyMessage(
  key: string,
  type: ContentType | undefined,
  itemKeys: readonly string[],
): Wording {
  const known = [
    ...itemKeys,
    ...Object.keys(type?.fields ?? {}),
    ...Object.keys(type?.relations ?? {}),
  ];
  const [nearest] = known
    .map((name) => ({ name, letters: editDistance(key.toLowerCase(), name, EDIT_DISTANCE_MAX) }))
    .filter(({ name, letters }) => letters <= EDIT_DISTANCE_MAX && letters < name.length / 2)
    .sort((one, other) => one.letters - other.letters);
  const plural = type === undefined ? "items" : type.plural.toLowerCase();
  return nearest === undefined
    ? { en: `is not a key of ${plural}`, de: "ist keine Angabe, die es für solche Inhalte gibt" }
    : {
        en: `is not a key of ${plural}; did you mean ${nearest.name}?`,
        de: `ist keine Angabe, die es für solche Inhalte gibt; meinten Sie ${nearest.name}?`,
      };
}
