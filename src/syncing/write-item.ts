import { itemText, type ShownItem } from "./item-text.ts";
import type { SyncPass } from "./pass-parts.ts";

export interface WrittenItem {
  file: string;
  /** False if somebody changed the file meanwhile; the next pass sees that. */
  isWritten: boolean;
}

/**
 * Writes an item into its file, at the place that it wants unless there is something, and keeps that as the
 * base: folder and site are then the same.
 */
export async function writeItem(
  { folder, base, types }: SyncPass,
  shown: ShownItem,
  { file, text, wanted }: { file: string; text: string | null; wanted: string },
): Promise<WrittenItem> {
  const isMoved = wanted !== file && text !== null && (await folder.move(file, wanted));
  const place = isMoved ? wanted : file;
  const next = itemText(shown, place, types);
  if (next !== text && !(await folder.write(place, next, text))) {
    return { file: place, isWritten: false };
  }
  const { id, path } = shown.item;
  base.put({ id, file: place, path, text: next, conflict: null });
  return { file: place, isWritten: true };
}
