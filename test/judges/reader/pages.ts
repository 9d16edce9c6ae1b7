import { BUILT_IN_PAGES } from "../../../src/content/pages/built-in/built-in-pages.ts";
import type { DemoServer } from "../demo-server.ts";

const CONTENT = new URL("content", import.meta.url).pathname;
/** Pages that are read from right to left. */
const TURNED = ["/arabic", "/hebrew"];

/** Adds pages that are hard to lay out. Returns the path of a page of each kind. */
export async function pagesOfEachKind({ origin, commonplace }: DemoServer): Promise<string[]> {
  await commonplace("import", CONTENT);
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const items = ["authors", "works", "quotations"].map((section) => {
    const start = `${origin}/${section}/`;
    const found = sitemap.split(/<\/?loc>/).find((part) => part.startsWith(start));
    if (found === undefined) throw new Error(`The demo has no page below ${start}`);
    return found.slice(origin.length);
  });
  return [
    ...["/", "/topics", "/authors", "/quotations?page=2", "/topics/time", ...items],
    ...BUILT_IN_PAGES.filter(({ isLinkable }) => isLinkable).map(({ path }) => path),
    ...[
      "/search?q=time",
      "/about",
      "/no-such-page",
      "/hard-to-lay-out",
      "/text-as-written",
      ...TURNED,
    ],
  ];
}
