import { createHash } from "node:crypto";

/** The addresses of a wiki, which follow from that of its main page. */
export interface WikiAddresses {
  /** The address below which the pages are, without a slash at its end: `https://example.org/wiki`. */
  home: string;
  /** Full title of the main page. */
  mainPage: string;
  pageUrl(title: string): string;
  /** An address that leads to an uploaded file in each version of the software. */
  fileUrl(name: string): string;
  /** The paths on its host, with a query, at which a page was, in all their forms. */
  pagePaths(title: string): string[];
  /** The paths at which a page was by its number. */
  numberPaths(id: string): string[];
  /** The paths on its host at which an uploaded file was. */
  filePaths(name: string): string[];
}

const UNKNOWN_HOST = "https://wiki.invalid";
/** Where the scripts are on a wiki with short addresses. */
const USUAL_SCRIPTS: readonly string[] = ["/w", ""];
const MAIN_PAGE = "Main Page";

/**
 * @param base address of the main page in one of the forms `/wiki/Main_Page`, `/index.php/Main_Page` and
 *   `/index.php?title=Main_Page`; empty if it is unknown.
 */
export function wikiAddresses(base: string): WikiAddresses {
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
    pageUrl: (title) => `${origin}${articles}/${urlTitle(title)}`,
    fileUrl: (name) => `${origin}${articles}/Special:Redirect/file/${urlTitle(name)}`,
    pagePaths: (title) => [
      `${articles}/${urlTitle(title)}`,
      ...scripts.map((each) => `${each}/index.php?title=${urlTitle(title)}`),
    ],
    numberPaths: (id) =>
      ["", ...scripts].map((each) =>
        each === "" ? `/?curid=${id}` : `${each}/index.php?curid=${id}`,
      ),
    filePaths: (name) =>
      scripts.map((each) => `${each}/images/${uploadFolder(name)}${urlTitle(name)}`),
  };
}

/** Decodes a title from an address; as it is if it cannot be decoded. */
export function decodedTitle(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** A title as it is written in addresses: with underscores, and its slashes and colons as they are. */
export function urlTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(" ", "_"))
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",");
}

/** The folder in which the software keeps a file, named by a hash of its name: `a/ab/`. */
export function uploadFolder(name: string): string {
  const hash = createHash("md5").update(name.replaceAll(" ", "_")).digest("hex");
  return `${hash.slice(0, 1)}/${hash.slice(0, 2)}/`;
}
