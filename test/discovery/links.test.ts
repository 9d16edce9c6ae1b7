import assert from "node:assert/strict";
import { after, it } from "node:test";
import { pagePathOfMarkdownPath } from "../../src/content/addresses/addresses.ts";
import { BUILT_IN_PAGES } from "../../src/content/pages/built-in/built-in-pages.ts";
import { renderAgentHomePageJson } from "../../src/discovery/agent-view.ts";
import { DISCOVERY_DOCUMENTS } from "../../src/discovery/documents.ts";
import { documentText, openFixtureSite, textOf } from "./fixture-site.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());
const { context, reading } = site;

/** Addresses of the service that are neither pages nor documents. */
const SERVICE = new Set([
  "/mcp",
  "/search",
  "/search.md",
  "/?mode=agent",
  "/de",
  ...BUILT_IN_PAGES.flatMap(({ path }) => [path, `${path}.md`]),
]);

/** Each document at an address of its own. */
function leadsSomewhere(url: string): boolean {
  const path = decodeURI(url.slice(context.origin.length)).replace(/#.*$/, "");
  if (path === "/?mode=agent") return true;
  const plain = path.replace(/\?.*$/, "");
  if (SERVICE.has(plain) || documentText(context, plain) !== null) return true;
  const page = pagePathOfMarkdownPath(plain) ?? plain;
  const isListing = [...reading.types().values()].some(({ listPath }) => listPath === page);
  return isListing || reading.resolve(page === "" ? "/" : page).kind === "item";
}

function addressesIn(text: string): string[] {
  const found = text.match(/https:\/\/quotations\.example[^\s"'`<>()\\*]*/g) ?? [];
  return found
    .map((url) => url.replace(/[.,;:]+$/, ""))
    .filter((url) => !/[{}…]/.test(url) && !url.endsWith("/quotations/"));
}

const texts: [name: string, text: string][] = DISCOVERY_DOCUMENTS.flatMap(({ paths }) =>
  paths
    .map((path) => path.replace("/:path+/event.ics", "/events/reading-evening/event.ics"))
    .flatMap((path) => {
      if (!path.startsWith("/:path+/")) return [path];
      if (path.includes("/llms")) return [path.replace("/:path+", "/topics")];
      const pages = path.includes("/feed.") ? ["/events", "/topics/time"] : ["/events"];
      return pages.map((page) => path.replace("/:path+", page));
    })
    .map((path) => path.replace("skills/:name", "skills/find-and-cite-a-quotation"))
    .filter((path) => !path.includes(":part"))
    .map((path): [string, string] => [path, textOf(context, path)]),
);
texts.push(["/?mode=agent", renderAgentHomePageJson(context)]);

for (const [name, text] of texts) {
  it(`${name} names addresses of this site, and each leads somewhere`, () => {
    const urls = addressesIn(text);
    assert(urls.length > 0, "no address found");
    assert.deepEqual(
      [...new Set(urls)].filter((url) => !leadsSomewhere(url)),
      [],
    );
  });
}

it("would notice a link that leads nowhere", () => {
  for (const path of ["/topics/nope.md", "/nope", "/nope/llms.txt", "/unfinished", "/sitemap.md"]) {
    assert.equal(leadsSomewhere(context.origin + path), false, path);
  }
});

it("never names another host than the configured one", () => {
  const elsewhere = { ...context, origin: "http://127.0.0.1:8080" };
  for (const { paths } of DISCOVERY_DOCUMENTS) {
    const [path = ""] = paths;
    if (path.includes(":") || path === "/llms-full.txt") continue;
    assert.doesNotMatch(textOf(elsewhere, path), /https:\/\/quotations\.example/, path);
  }
});
