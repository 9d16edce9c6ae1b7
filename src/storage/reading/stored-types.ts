import { z } from "zod";
import { type ContentTypes, contentTypeSchema } from "../../content/content-type.ts";

const storedTypes = z.array(contentTypeSchema);

export function serializeTypes(types: ContentTypes): string {
  return JSON.stringify([...types.values()]);
}

export function parseTypes(text: string): ContentTypes {
  return new Map(storedTypes.parse(JSON.parse(text)).map((type) => [type.name, type]));
}

/** What the stored values, links and counts depend on; labels and descriptions are not part of it. */
export function shapeOf(types: ContentTypes): string {
  const shapes = [...types.values()].map(({ name, fields, relations }) => [
    name,
    Object.entries(fields).map(([field, { kind, filter, sort }]) => [field, kind, filter, sort]),
    Object.entries(relations).map(([relation, { target, inverse, symmetric }]) => [
      relation,
      target,
      inverse?.name,
      symmetric,
    ]),
  ]);
  return JSON.stringify(shapes.sort());
}
