import type { FileLanguages } from "../file-languages.ts";
import type { SiteGenerator } from "../site-generator.ts";

/** Folders whose files site generators copy to the root of the site. */
const STATIC_FOLDERS = ["static", "public"];
/** A file outside the site generator's folder, or one that it does not publish. */
const UNPUBLISHED = /(?:^|\/)[._]/;

/** The file that a page was on the former site: `/about.md` → `/about.html`. HTML keeps its ending. */
export function htmlFileOf(file: string): string {
  return file.replace(/\.(?!(?:x?html|htm)$)\w+$/i, ".html");
}

/**
 * The address that a file had on the former site; null: it had none of its own.
 *
 * @param file the file's path in the site generator's folder.
 */
export function fileAddress(
  file: string,
  { contentFolders, fileFolders = STATIC_FOLDERS }: SiteGenerator,
  { mainFolder }: Pick<FileLanguages, "mainFolder">,
): string | null {
  if (UNPUBLISHED.test(file)) return null;
  const folders = Object.entries(contentFolders);
  if (folders.length === 0) return `/${file}`;
  for (const [folder, at] of [...folders, ...fileFolders.map((each) => [each, ""] as const)]) {
    if (!file.startsWith(`${folder}/`)) continue;
    const rest = file.slice(folder.length + 1);
    const start = at === "" ? "" : `${at}/`;
    return `/${start}${rest.startsWith(mainFolder) ? rest.slice(mainFolder.length) : rest}`;
  }
  return null;
}
