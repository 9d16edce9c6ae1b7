import type { PublishedItem, ReadingCopy } from "../../library.ts";
import { isPictureType } from "../../media/media.ts";
import { parseMediaFileName } from "../../media/media-kinds.ts";
import type { ContentType } from "../../types/content-type.ts";
import type { ShownPortrait } from "../view.ts";

/** The portrait of an item; null if it has none, or its picture is not published. */
export function portraitOf(
  { fields }: Pick<PublishedItem, "fields">,
  { portrait }: ContentType,
  reading: Pick<ReadingCopy, "medium">,
): ShownPortrait | null {
  if (portrait === undefined) return null;
  const { [portrait.picture]: path, [portrait.credit]: credit } = fields;
  if (typeof path !== "string" || typeof credit !== "string") return null;
  const file = parseMediaFileName(path.slice("/media/".length));
  const medium = file === null ? null : reading.medium(file.id);
  if (medium === null || !isPictureType(medium.type)) return null;
  const { width, height, alt } = medium;
  return { path, width, height, alt, credit };
}
