import { Parser } from "htmlparser2";
import type { PublishedItem, ReadingCopy } from "../content/library.ts";
import {
  findInternalPathError,
  type InternalLinkTargets,
  parseInternalPath,
} from "./internal-links.ts";
import type { FoundLink } from "./link.ts";

const LINKS_MAX = 1000;
const URL_CHARACTERS_MAX = 2000;
/** Elements whose `src` is a picture, a recording or its captions. */
const SHOWN_FILES: ReadonlySet<string> = new Set(["img", "audio", "video", "source", "track"]);

/** The distinct links in the text and the `url` fields of a published item, at most 1,000. */
export async function findLinksInItem(
  item: PublishedItem,
  site: InternalLinkTargets,
  today: string,
): Promise<FoundLink[]> {
  const targets = targetsIn(item.html);
  const fields = site.reading.types().get(item.type)?.fields ?? {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = item.fields[name];
    if (kind === "url" && typeof value === "string") targets.push(value);
  }
  return await findLinksToTargets(targets, site, today);
}

/** Targets of the menus' links, in all languages. */
export function menuLinkTargets(reading: ReadingCopy): string[] {
  const menus = Object.values(reading.site().menus);
  const entries = menus.flat().flatMap((entry) => [entry, ...entry.entries]);
  return entries.flatMap(({ to }) => to ?? []);
}

/** The distinct links to `targets`, at most 1,000. */
export async function findLinksToTargets(
  targets: readonly string[],
  site: InternalLinkTargets,
  today: string,
): Promise<FoundLink[]> {
  const linksByUrl = new Map<string, FoundLink>();
  for (const target of [...new Set(targets)].slice(0, LINKS_MAX)) {
    const link = await linkTo(target, site, today);
    if (link !== null) linksByUrl.set(link.url, link);
  }
  return [...linksByUrl.values()];
}

function targetsIn(html: string): string[] {
  const targets: string[] = [];
  const parser = new Parser({
    onopentag(name, { href, src, poster }) {
      if (name === "a" && href !== undefined) targets.push(href);
      if (SHOWN_FILES.has(name) && src !== undefined) targets.push(src);
      if (name === "video" && poster !== undefined) targets.push(poster);
    },
  });
  parser.end(html);
  return targets;
}

/** Returns null for a target that cannot be checked, such as an e-mail address. */
async function linkTo(
  target: string,
  site: InternalLinkTargets,
  today: string,
): Promise<FoundLink | null> {
  if (target.startsWith("/") && !target.startsWith("//")) {
    const path = parseInternalPath(target);
    return path === null
      ? null
      : { url: path, host: "", fault: await findInternalPathError(path, site, today) };
  }
  const url = URL.parse(target);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  url.hash = "";
  if (url.href.length > URL_CHARACTERS_MAX) return null;
  return { url: url.href, host: url.host, fault: null };
}
