import { Parser } from "htmlparser2";
import type { PublishedItem, ReadingCopy } from "../content/library.ts";
import { findPage } from "../content/pages/find-page.ts";
import type { FoundLink } from "./link.ts";
import { NO_SUCH_PAGE } from "./link-faults.ts";

const LINKS_MAX = 1000;
const URL_CHARACTERS_MAX = 2000;
const PATH_CHARACTERS_MAX = 300;
/** Matches the paths of files and documents, which are not looked up as pages. */
const FILE_NAME = /\.[\p{L}\p{N}]{1,5}$/u;

/** The distinct links in the text and the `url` fields of a published item, at most 1,000. */
export async function linksOf(
  item: PublishedItem,
  reading: ReadingCopy,
  today: string,
): Promise<FoundLink[]> {
  const targets = new Set(hrefsIn(item.html));
  const fields = reading.types().get(item.type)?.fields ?? {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = item.fields[name];
    if (kind === "url" && typeof value === "string") targets.add(value);
  }
  const linksByUrl = new Map<string, FoundLink>();
  for (const target of [...targets].slice(0, LINKS_MAX)) {
    const link = await linkTo(target, reading, today);
    if (link !== null) linksByUrl.set(link.url, link);
  }
  return [...linksByUrl.values()];
}

function hrefsIn(html: string): string[] {
  const hrefs: string[] = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === "a" && href !== undefined) hrefs.push(href);
    },
  });
  parser.end(html);
  return hrefs;
}

/** Returns null for a target that cannot be checked, such as an e-mail address. */
async function linkTo(
  target: string,
  reading: ReadingCopy,
  today: string,
): Promise<FoundLink | null> {
  if (target.startsWith("/") && !target.startsWith("//")) {
    return await ownLink(target, reading, today);
  }
  const url = URL.parse(target);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  url.hash = "";
  if (url.href.length > URL_CHARACTERS_MAX) return null;
  return { url: url.href, host: url.host, fault: null };
}

/** Links within the site are looked up rather than requested. */
async function ownLink(
  target: string,
  reading: ReadingCopy,
  today: string,
): Promise<FoundLink | null> {
  const path = decoded(target.replace(/[?#].*$/u, ""));
  const isPath = path !== null && path.length <= PATH_CHARACTERS_MAX && !/\p{Cc}/u.test(path);
  if (!isPath || FILE_NAME.test(path)) return null;
  const answer = await findPage(reading, path, { parameter: () => undefined, today: () => today });
  const fault = answer.kind === "missing" ? NO_SUCH_PAGE.en : null;
  return { url: path, host: "", fault };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
