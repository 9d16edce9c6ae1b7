import { deriveSitePath, deriveSitePathInFileSpelling } from "../../file-path.ts";
import type { LanguageLayout } from "../file-languages.ts";
import type { SiteGenerator } from "../site-generator.ts";

/** Folders whose files site generators copy to the root of the site. */
const STATIC_FOLDERS = ["static", "public"];
/**
 * Matches paths with a part that begins with `.` or `_`. Site generators do not publish such files. A path
 * that begins with `../` is outside the site generator's folder.
 */
const UNPUBLISHED = /(?:^|\/)[._]/;

/**
 * The path of a page's file on the former site: `/about.md` → `/about.html`. HTML extensions are unchanged.
 */
export function formerHtmlPath(file: string): string {
  return file.replace(/\.(?!(?:x?html|htm)$)\w+$/i, ".html");
}

/**
 * The addresses of a page on a former site that kept the spelling of file and folder names. Empty if the
 * page's path on this site has the same spelling.
 *
 * @param slug the last part of the address, if the page states one.
 */
export function addressesSpelledLikeFile(
  sitePath: string,
  slug: unknown,
  { spellings = (path) => [path] }: Pick<SiteGenerator, "spellings">,
): string[] {
  const named = deriveSitePathInFileSpelling(sitePath);
  const withSlug = (path: string) =>
    typeof slug === "string" ? path.replace(/[^/]*$/, slug) : path;
  const isAlike = withSlug(named) === withSlug(deriveSitePath(sitePath));
  return isAlike ? [] : spellings(withSlug(named));
}

/** Encodes a path made of file names, which may contain `#` and `%`. */
export function encodeFilePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/**
 * The address of a file on the former site; null: the file had no address.
 *
 * @param file the file's path in the site generator's folder.
 */
export function formerAddressOfFile(
  file: string,
  { contentFolders, fileFolders = STATIC_FOLDERS }: SiteGenerator,
  { mainLanguageFolder }: Pick<LanguageLayout, "mainLanguageFolder">,
): string | null {
  if (UNPUBLISHED.test(file)) return null;
  const folders = Object.entries(contentFolders);
  if (folders.length === 0) return `/${file}`;
  for (const [folder, at] of [...folders, ...fileFolders.map((each) => [each, ""] as const)]) {
    if (!file.startsWith(`${folder}/`)) continue;
    const rest = file.slice(folder.length + 1);
    const start = at === "" ? "" : `${at}/`;
    return `/${start}${rest.startsWith(mainLanguageFolder) ? rest.slice(mainLanguageFolder.length) : rest}`;
  }
  return null;
}
