import type { Item } from "../content/items/item.ts";
import { fileById, fileOfItem } from "./item-files.ts";

/** Items of types that share files: one for each first letter below a folder (`quotations/t.jsonl`). */
export function sharedFile(item: Pick<Item, "id" | "path">): string {
  const names = fileOfItem(item).toLowerCase().split("/");
  const [letter = ""] = /^[\p{L}\p{N}]/u.exec(names.pop() ?? "") ?? [];
  return [...names, `${letter === "" ? "other" : letter}.jsonl`].join("/");
}

/**
 * Returns a function that gives each item a file of its own, as `sync` names them. Many file systems ignore
 * case in names.
 */
export function ownFiles(): (item: Pick<Item, "id" | "path">) => string {
  const taken = new Set<string>();
  return (item) => {
    const file = fileOfItem(item);
    if (taken.has(file.toLowerCase())) return fileById(item.id);
    taken.add(file.toLowerCase());
    return file;
  };
}
