import type { Wording } from "../../../errors.ts";
import { findOnlyPicturePath } from "../../items/portrait-fields.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import type { LinkedMediaFile } from "../markdown-links.ts";
import type { MarkdownLink } from "../markdown-outline.ts";
import { type FileFrontMatter, readTypeAliasesAndPostDates } from "../type-and-path.ts";

/** A link to the portrait file that the front matter names; null if it names none. */
export function findPortraitLink(
  source: FileFrontMatter,
  types: ContentTypes,
): MarkdownLink | null {
  const field = pictureField(source, types);
  const url = field === undefined ? undefined : source.values[field];
  if (typeof url !== "string" || /^[a-z]+:/i.test(url)) return null;
  if (findOnlyPicturePath(url) !== null) return null;
  return { url, isImage: true, line: 1, place: null };
}

/**
 * Replaces the portrait's file in the front matter with the address of the imported file. If the
 * file is missing, the key is left out and reported. Without `media`, nothing changes.
 */
export function resolvePortraitAddress(
  source: FileFrontMatter,
  types: ContentTypes,
  media: ReadonlyMap<string, LinkedMediaFile> | undefined,
): { values: FileFrontMatter["values"]; missing: { field: string; message: Wording }[] } {
  const { values } = source;
  const field = pictureField(source, types);
  const link = findPortraitLink(source, types);
  if (field === undefined || link === null || media === undefined) return { values, missing: [] };
  const file = media.get(link.url);
  if (file !== undefined && "address" in file) {
    return { values: { ...values, [field]: file.address }, missing: [] };
  }
  const { [field]: _leftOut, ...others } = values;
  const { en, de } = file?.fault ?? NO_PICTURE;
  const message = {
    en: `"${link.url}" is left out: ${en}`,
    de: `„${link.url}“ wird weggelassen: ${de}`,
  };
  return { values: others, missing: [{ field, message }] };
}

const NO_PICTURE: Wording = {
  en: "there is no such picture in this import",
  de: "dieses Bild gibt es in diesem Import nicht",
};

function pictureField(source: FileFrontMatter, types: ContentTypes): string | undefined {
  const { type } = readTypeAliasesAndPostDates(source, types);
  return typeof type === "string" ? types.get(type)?.portrait?.picture : undefined;
}
