import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Those of a folder's files that none of its texts names: a document that a page links to is there to be
 * downloaded, not to become a page. All paths are relative to `root`.
 */
export function filesNotNamed(
  root: string,
  files: readonly string[],
  texts: readonly string[],
): string[] {
  const left = new Set(files);
  for (const text of texts) {
    if (left.size === 0) break;
    const written = readFileSync(join(root, text), "utf8");
    for (const file of left) {
      const name = basename(file);
      if (written.includes(name) || written.includes(encodeURI(name))) left.delete(file);
    }
  }
  return [...left];
}
