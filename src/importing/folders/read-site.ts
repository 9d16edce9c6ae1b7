import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import type { FileProblem } from "../../content/import/import-items.ts";
import { parseSiteProfile, parseTheme, parseTypeFile } from "../../content/import/site-file.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import type { ContentType } from "../../content/types/content-type.ts";
import { AppError } from "../../errors.ts";
import { readTextInAnyEncoding } from "../any-encoding.ts";
import type { ImportFiles } from "../import-files.ts";

/** The files of a site folder that describe the site. */
export type SiteFiles = Pick<ImportFiles, "themeFile" | "typeFiles"> & { siteFile: string };

/** @throws {AppError} `invalid` for an invalid `site.yaml`, `theme.css` or type. */
export function readSiteProfileAndTypes(
  { siteFile, themeFile, typeFiles }: SiteFiles,
  onProblem: ImportEventHandlers["onProblem"],
): { profile: SiteProfile; types: ContentType[] } {
  const described = readPart(siteFile, parseSiteProfile, onProblem);
  const profile =
    described === null || themeFile === null
      ? described
      : readPart(themeFile, (text) => parseTheme(text, described), onProblem);
  const types = typeFiles.map((file) => readPart(file, parseTypeFile, onProblem));
  const read = types.filter((type) => type !== null);
  if (profile !== null && read.length === types.length) return { profile, types: read };
  throw new AppError("invalid", {
    en: "Nothing was imported: correct the description of the site first",
    de: "Nichts wurde importiert: Berichtigen Sie zuerst die Beschreibung der Website",
  });
}

function readPart<T>(
  file: string,
  parse: (text: string) => { value: T | null; problems: readonly Omit<FileProblem, "file">[] },
  onProblem: ImportEventHandlers["onProblem"],
): T | null {
  const read = readTextInAnyEncoding(file);
  if ("fault" in read) {
    onProblem({ file, line: 1, field: "", message: read.fault, severity: "error" });
    return null;
  }
  const { value, problems } = parse(read.text);
  for (const problem of problems) onProblem({ ...problem, file });
  return value;
}
