import type { Wording } from "../../../errors.ts";
import { isHtmlFile } from "../file-path.ts";
import type { FolderConventions } from "./folder-conventions.ts";

/** A file as it was written for another site generator. */
export interface ForeignFile {
  file: string;
  values: Readonly<Record<string, unknown>>;
  body: string;
}

/**
 * The reason why a content file is not a page for readers; null: it is a page.
 *
 * @param place the file's path on the site.
 */
export function findReasonToSkip(
  { file, values, body }: ForeignFile,
  place: string,
  { generator, fileIn }: FolderConventions,
): Wording | null {
  if (/(?:^|\/)404\.\w+$/.test(place)) return MISSING_PAGE;
  if (values["permalink"] === false) return NO_OWN_PAGE;
  const isOther = (name: string) => /\.(?!x?html$|htm$)[a-z]\w{1,4}$/i.test(name);
  if (isOther(String(values["permalink"] ?? ""))) return OTHER_FILE;
  if (file.endsWith(".njk") && isOther(file.slice(0, -".njk".length))) return OTHER_FILE;
  if (generator.tags === null && isHtmlFile(file) && TEMPLATE_TAG.test(body)) return TEMPLATE;
  const localFile = fileIn(file);
  const isForContributors =
    generator.tags === "liquid" &&
    FOR_CONTRIBUTORS.test(localFile) &&
    generator.isIncluded?.(localFile) !== true;
  return isForContributors && Object.keys(values).length === 0 ? ABOUT_FOLDER : null;
}

/** Files for contributors to a repository, which Jekyll and Eleventy sites do not publish. */
const FOR_CONTRIBUTORS =
  /^(?:CODE_OF_CONDUCT|CONTRIBUTING|ISSUE_TEMPLATE|PULL_REQUEST_TEMPLATE|AGENTS|CLAUDE)\.md$/;

const MISSING_PAGE: Wording = {
  en: "is the page for missing addresses, which every site has here",
  de: "ist die Seite für fehlende Adressen, die hier jede Website von selbst hat",
};
const NO_OWN_PAGE: Wording = {
  en: "says that it has no page of its own",
  de: "sagt, dass es keine eigene Seite hat",
};
const OTHER_FILE: Wording = {
  en: "makes a file that is not a page",
  de: "ergibt eine Datei, die keine Seite ist",
};
/** A tag such as `{% extends "base.html" %}`, which only templates contain. */
const TEMPLATE_TAG = /\{%-?\s{0,20}(?:extends|block|include|macro|import)\s/;
const TEMPLATE: Wording = {
  en: "is the template of a program, not a page",
  de: "ist die Vorlage eines Programms, keine Seite",
};
const ABOUT_FOLDER: Wording = {
  en: "is about the folder, not for its readers",
  de: "handelt vom Ordner und ist nicht für Leser der Website",
};
