import type { Element } from "hast";
import { iterateElements, oneLineTextOf } from "../../../src/content/import/html/html-tree.ts";
import { parseHtmlTree } from "../../../src/content/pasting/html-conversion.ts";

const AT_ONCE = 4;
/** Tags of Liquid, Jinja and Hugo as readers would see them, outside code. */
const RAW_TAG = /\{\{[<%]|[>%]\}\}|\{%|%\}|\{\{\s*[\w.]+[^{}]*\}\}|\[\[[^[\]\n]+\]\]/;

export interface WalkedPage {
  path: string;
  language: string;
  direction: string;
  /** Number of other languages that the page names versions in. */
  translations: number;
  /** Addresses of the site that its text links to or shows, without fragments. */
  targets: string[];
  /** Links to places that the pages they lead to do not have. */
  fragments: { path: string; name: string }[];
  names: ReadonlySet<string>;
  /** Tags of the former program that are shown. */
  rawTags: string[];
}

export interface WalkedSite {
  pages: readonly WalkedPage[];
  /** Statuses of all addresses that texts link to. */
  statuses: ReadonlyMap<string, number>;
}

/** Opens every page that the sitemap of the server names, and everything of the site that their texts link to. */
export async function walkSite(origin: string): Promise<WalkedSite> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => {
    return new URL(url.replaceAll("&amp;", "&")).pathname;
  });
  const pages: WalkedPage[] = [];
  await each(paths, async (path) => {
    const answer = await fetch(`${origin}${path}`, { headers: { accept: "text/html" } });
    if (answer.status === 200) pages.push(readPage(path, await answer.text(), origin));
    else throw new Error(`${path} is in the sitemap and answers ${answer.status}`);
  });
  const statuses = new Map<string, number>();
  await each([...new Set(pages.flatMap(({ targets }) => targets))], async (target) => {
    const answer = await fetch(`${origin}${target}`, { redirect: "follow" });
    await answer.arrayBuffer();
    statuses.set(target, answer.status);
  });
  return { pages: pages.sort((a, b) => (a.path < b.path ? -1 : 1)), statuses };
}

async function each<Value>(values: readonly Value[], act: (value: Value) => Promise<void>) {
  const queue = [...values];
  const work = async () => {
    for (let value = queue.shift(); value !== undefined; value = queue.shift()) await act(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function readPage(path: string, html: string, origin: string): WalkedPage {
  const elements = [...iterateElements(parseHtmlTree(html, { fragment: false }))];
  const root = elements.find(({ tagName }) => tagName === "html");
  const alternates = elements.filter(
    ({ tagName, properties }) => tagName === "link" && properties["hrefLang"] !== undefined,
  );
  const languages = new Set(alternates.map(({ properties }) => String(properties["hrefLang"])));
  languages.delete("x-default");
  const main = elements.find(({ tagName }) => tagName === "main");
  const within = main === undefined ? [] : [...iterateElements(main)];
  const urls = within.flatMap(({ properties }) => {
    const written = properties["href"] ?? properties["src"];
    const url = typeof written === "string" ? URL.parse(written, `${origin}${path}`) : null;
    return url?.origin === origin ? [url] : [];
  });
  const code = new Set(
    within
      .filter(({ tagName }) => ["pre", "code", "kbd", "samp"].includes(tagName))
      .flatMap((element) => [element, ...iterateElements(element)]),
  );
  return {
    path,
    language: String(root?.properties["lang"] ?? ""),
    direction: String(root?.properties["dir"] ?? ""),
    translations: Math.max(languages.size - 1, 0),
    targets: [...new Set(urls.map(({ pathname, search }) => `${pathname}${search}`))],
    fragments: urls
      .filter(({ hash }) => hash.length > 1)
      .map(({ pathname, hash }) => ({ path: pathname, name: decodeURIComponent(hash.slice(1)) })),
    names: new Set(elements.map(({ properties }) => String(properties["id"] ?? ""))),
    rawTags: within.flatMap((element) => rawTagOf(element, code)),
  };
}

function rawTagOf(element: Element, code: ReadonlySet<Element>): string[] {
  if (code.has(element)) return [];
  const own = element.children.filter(({ type }) => type === "text");
  const found = RAW_TAG.exec(oneLineTextOf({ ...element, children: own }));
  return found === null ? [] : [found[0]];
}
