import { isRecord } from "../content/import/item-parsing.ts";
import type { SyncFolder } from "./sync-folder.ts";

/** The paths of the items that share files, as an export writes them: they get no files of their own. */
export function pathsInSharedFiles(folder: SyncFolder, files: readonly string[]): Set<string> {
  const paths = files.flatMap((file) => (folder.read(file) ?? "").split("\n").map(pathOfLine));
  return new Set(paths.filter((path) => path !== null));
}

function pathOfLine(line: string): string | null {
  try {
    const item: unknown = JSON.parse(line);
    return isRecord(item) && typeof item["path"] === "string" ? item["path"] : null;
  } catch {
    return null;
  }
}
