import { createHash } from "node:crypto";

/** The addresses of a wiki, derived from the address of its main page. */
export interface WikiAddresses {
  /**
   * The address of the folder that contains the pages, without a trailing slash: `https://example.org/wiki`.
   */
  home: string;
  /** Full title of the main page. */
  mainPage: string;
  pageUrl(title: string): string;
  /** An address that leads to an uploaded file in every version of MediaWiki. */
  fileUrl(name: string): string;
  /** All paths of a page on the wiki's host, including queries. */
  pagePaths(title: string): string[];
  /** The paths of a page by its number, such as `/?curid=5`. */
  numberPaths(id: string): string[];
  /** The paths of an uploaded file on the wiki's host. */
  filePaths(name: string): string[];
}

const UNKNOWN_HOST = "https://wiki.invalid";
/** Folders that usually contain `index.php` on a wiki whose page addresses do not include that file. */
const USUAL_SCRIPTS: readonly string[] = ["/w", ""];
const MAIN_PAGE = "Main Page";

/**
 * @param base address of the main page in the form `/wiki/Main_Page`, `/index.php/Main_Page` or
 *   `/index.php?title=Main_Page`; empty if it is unknown.
 */
export function deriveWikiAddresses(base: string): WikiAddresses {
  const url = URL.parse(base) ?? new URL(`${UNKNOWN_HOST}/wiki/Main_Page`);
  const { origin, pathname } = url;
  const byQuery = url.searchParams.get("title");
  const folder = pathname.slice(0, pathname.lastIndexOf("/"));
  const [script] = /^.*(?=\/index\.php)/.exec(pathname) ?? [];
  const scripts = script === undefined ? USUAL_SCRIPTS : [script];
  const articles = byQuery === null ? folder : `${script ?? ""}/wiki`;
  const written = byQuery ?? decodedTitle(pathname.slice(folder.length + 1));
  return {
    home: origin + articles,
    mainPage: written === "" ? MAIN_PAGE : written.replaceAll("_", " "),
    pageUrl: (title) => `${origin}${articles}/${encodeTitleForUrl(title)}`,
    fileUrl: (name) => `${origin}${articles}/Special:Redirect/file/${encodeTitleForUrl(name)}`,
    pagePaths: (title) => [
      `${articles}/${encodeTitleForUrl(title)}`,
      ...scripts.map((each) => `${each}/index.php?title=${encodeTitleForUrl(title)}`),
    ],
    numberPaths: (id) =>
      ["", ...scripts].map((each) =>
        each === "" ? `/?curid=${id}` : `${each}/index.php?curid=${id}`,
      ),
    filePaths: (name) =>
      scripts.map((each) => `${each}/images/${folderOfUpload(name)}${encodeTitleForUrl(name)}`),
  };
}

/** Decodes a title from an address. Returns the title unchanged if it cannot be decoded. */
function decodedTitle(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** Decodes the entities and percent signs in the title that a link names, such as `R&amp;D`. */
export function decodeLinkTarget(target: string): string {
  const plain = target
    .replaceAll(/&(?:nbsp|#160);/g, " ")
    .replaceAll(/&(?:amp|#38);/g, "&")
    .replaceAll(/&(?:quot|#34);/g, '"')
    .replaceAll(/&(?:#39|apos);/g, "'");
  return decodedTitle(plain);
}

/** Decodes the name of a section, in which dots may replace percent signs. */
export function decodeSectionName(section: string): string {
  const spaced = section.replaceAll("_", " ").trim();
  try {
    return decodeURIComponent(
      spaced.replaceAll(/(?:\.[89A-F][0-9A-F])+/g, (dots) => dots.replaceAll(".", "%")),
    );
  } catch {
    return spaced;
  }
}

/** A title as addresses contain it: with underscores, and with unencoded slashes, colons and commas. */
export function encodeTitleForUrl(title: string): string {
  return encodeURIComponent(title.replaceAll(" ", "_"))
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",");
}

/** The folder in which MediaWiki stores a file, named after a hash of the file name: `a/ab/`. */
export function folderOfUpload(name: string): string {
  const hash = createHash("md5").update(name.replaceAll(" ", "_")).digest("hex");
  return `${hash.slice(0, 1)}/${hash.slice(0, 2)}/`;
}
