import { z } from "zod";
import { type ContentTypes, contentTypeSchema } from "../../content/types/content-type.ts";

const storedTypes = z.array(contentTypeSchema);

export function serializeContentTypes(types: ContentTypes): string {
  return JSON.stringify([...types.values()]);
}

export function parseContentTypes(text: string): ContentTypes {
  return new Map(storedTypes.parse(JSON.parse(text)).map((type) => [type.name, type]));
}
