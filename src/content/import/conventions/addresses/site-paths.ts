import type { SiteGenerator } from "../site-generator.ts";

const DATED_NAME = /(^|\/)(\d{4})-(\d{2})-(\d{2})[-_]([^/]+(?:\/index\.\w+)?)$/;
const README_FILE = /(^|\/)readme(\.\w+)$/i;
const INDEX_FILE = /(?:^|\/)_?index\.\w+$/i;
const SAME_NAME_AS_FOLDER = /(^|\/)([^/]+)\/\2(\.\w+)$/;
/** Docusaurus keeps translations in a separate folder. */
const TRANSLATED_FILE = /^i18n\/([^/]+)\/docusaurus-plugin-content-(docs\/current|blog|pages)\//;

/** Converts a file's path in the folder to its path on the site; null: the file is not content. */
export function sitePathOfFile(file: string, generator: SiteGenerator): string | null {
  const { hasNumberedNames, datedFolder, partFiles, isExcluded } = generator;
  if (partFiles?.test(file) === true || isExcluded?.(file) === true) return null;
  const whole = rawSitePathOfFile(file, generator);
  if (whole === null) return null;
  const dated =
    datedFolder?.test(whole.replace(/^[a-z]{2}(?:-\w+)?\/(?=blog\/)/, "")) === true
      ? whole.replace(DATED_NAME, "$1$2/$3/$4/$5")
      : whole;
  const bare = generator.dropsDates === true ? dated.replace(DATED_NAME, "$1$5") : dated;
  const named = hasNumberedNames === true && dated === whole ? withoutNumbers(bare) : bare;
  const index =
    generator.hasNamesakePages === true
      ? named.replace(SAME_NAME_AS_FOLDER, "$1$2/index$3")
      : named;
  const cased = generator.hasLowerCaseAddresses === true ? index.toLowerCase() : index;
  return cased.replace(/(^|\/)_(?:posts|drafts)\//, "$1").replace(/^_(?!index\.)/, "");
}

/**
 * Returns a file's path on the site, with dates and numbers in its name unchanged; null: the file is
 * outside the content folders.
 */
export function rawSitePathOfFile(file: string, { contentFolders }: SiteGenerator): string | null {
  const folders = Object.entries(contentFolders);
  if (folders.length === 0) return file.startsWith("../") ? null : file;
  const within = folders.find(([folder]) => file.startsWith(`${folder}/`));
  if (within !== undefined) {
    const [folder, place] = within;
    const rest = file.slice(folder.length + 1);
    return place === "" ? rest : `${place}/${rest}`;
  }
  const [prefix, language, part = ""] = TRANSLATED_FILE.exec(file) ?? [];
  if (prefix === undefined) return null;
  const place = contentFolders[part.replace("/current", "").replace("pages", "src/pages")] ?? "";
  return [language, place, file.slice(prefix.length)].filter((each) => each !== "").join("/");
}

/** Changes a README's path to that of an index file, unless its folder already has an index. */
export function renameReadmeToIndex(
  place: string,
  places: ReadonlySet<string>,
  { hasReadmePages }: SiteGenerator,
): string {
  if (hasReadmePages !== true || !README_FILE.test(place)) return place;
  const folder = place.slice(0, place.lastIndexOf("/") + 1);
  return places.has(folder) ? place : place.replace(README_FILE, "$1index$2");
}

/** The folders that have an index, each ending with a slash. */
export function findFoldersWithIndex(places: readonly string[]): Set<string> {
  return new Set(
    places.filter((place) => INDEX_FILE.test(place)).map((place) => place.replace(/[^/]*$/, "")),
  );
}

/**
 * The date at the start of a file name, such as `2024-02-01`. Null if there is no date, or if the folder is
 * not for dated files.
 */
export function parseDateInFileName(
  file: string,
  { datedFolder, dropsDates }: SiteGenerator,
): string | null {
  const [, , year, month, day] = DATED_NAME.exec(file) ?? [];
  const isDated = dropsDates === true || datedFolder?.test(file) === true;
  return year === undefined || !isDated ? null : `${year}-${month}-${day}`;
}

function withoutNumbers(file: string): string {
  return file
    .split("/")
    .map((part) => part.replace(/^\d{1,4}[-_. ]+(?=\D)/, ""))
    .join("/");
}
