import { defaultFileName, fallbackFileName } from "../item-files.ts";

const SHARED_NAME = /(?:^|\/)(?:other|[\p{L}\p{N}])\.jsonl$/u;

/**
 * The name of the shared file for an item. There is one for each folder and first letter, such as
 * `quotations/t.jsonl`. Null: the path is no valid file name, so the item has a file of its own.
 */
export function sharedFileName(path: string): string | null {
  const file = defaultFileName({ id: "", path });
  if (file === fallbackFileName("")) return null;
  const names = file.toLowerCase().split("/");
  const [letter = "other"] = /^[\p{L}\p{N}]/u.exec(names.pop() ?? "") ?? [];
  return [...names, `${letter}.jsonl`].join("/");
}

/** Whether this is the name of a shared file. */
export function isSharedFile(file: string): boolean {
  return SHARED_NAME.test(file);
}
