import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { validateXML } from "xmllint-wasm";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { DISCOVERY_DOCUMENTS, findDocument } from "../../src/discovery/documents.ts";
import { openFixtureSite, textOf } from "./fixture-site.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());
const { context } = site;

describe("robots.txt", () => {
  it("repeats the association's choice in every group", () => {
    const contentSignal = { search: "yes", aiInput: "no", aiTrain: "no" } as const;
    const profile = { ...context.reading.site(), contentSignal };
    const reading = withOverriddenMethods(context.reading, { site: () => profile });
    const groups = textOf({ ...context, reading }, "/robots.txt")
      .split("\n\n")
      .slice(0, -1);
    assert.equal(groups.length, 3);
    for (const group of groups) {
      assert.match(group, /^Content-Signal: search=yes, ai-input=no, ai-train=no$/m);
    }
  });

  it("names only directives checkers know, and each bot once", () => {
    const lines = textOf(context, "/robots.txt")
      .split("\n")
      .filter((line) => line !== "");
    const names = new Set(lines.map((line) => line.split(":")[0]));
    assert.deepEqual([...names].sort(), ["Allow", "Content-Signal", "Sitemap", "User-agent"]);
    const bots = lines.filter((line) => line.startsWith("User-agent"));
    assert.equal(new Set(bots).size, bots.length);
    assert.equal(lines.at(-1), "Sitemap: https://quotations.example/sitemap.xml");
  });
});

describe("security.txt", () => {
  it("expires in less than a year, and keeps its bytes for a month", () => {
    for (const now of ["2026-01-31T23:59:59Z", "2026-11-21T10:00:00Z", "2028-02-29T00:00:00Z"]) {
      const text = textOf({ ...context, now: new Date(now) }, "/.well-known/security.txt");
      const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
      const days = (expires - Date.parse(now)) / 86_400_000;
      assert(days > 300 && days < 365, `${now}: ${days} days`);
    }
    const [first, last] = ["2026-11-01T00:00:00Z", "2026-11-30T23:59:59Z"].map((now) =>
      textOf({ ...context, now: new Date(now) }, "/.well-known/security.txt"),
    );
    assert.equal(first, last);
  });

  it("falls back to the general mailbox", () => {
    const profile = { ...context.reading.site(), contact: { email: "office@quotations.example" } };
    const reading = withOverriddenMethods(context.reading, { site: () => profile });
    assert.match(
      textOf({ ...context, reading }, "/.well-known/security.txt"),
      /^Contact: mailto:office@quotations\.example$/m,
    );
  });
});

describe("opensearch.xml", () => {
  it("is well-formed and names the search page", async () => {
    const xml = textOf(context, "/opensearch.xml");
    const { valid } = await validateXML({ xml, normalization: "c14n" });
    assert.equal(valid, true);
    assert.match(xml, /template="https:\/\/quotations\.example\/search\?q=\{searchTerms\}"/);
    const [, short = ""] = /<ShortName>(.*)<\/ShortName>/.exec(xml) ?? [];
    assert(short.length > 0 && short.length <= 16);
  });
});

describe("the table of documents", () => {
  it("finds a document by each of its addresses and none by others", () => {
    for (const { paths, name } of DISCOVERY_DOCUMENTS) {
      for (const path of paths) {
        const concrete = path.replaceAll(/:[a-z]+\+?/g, "x1");
        assert.equal(findDocument(concrete)?.document.name, name, path);
        assert.equal(findDocument(`${concrete}x`), null, `${concrete}x`);
        const below = findDocument(`/w/x/y/z${concrete}`)?.document.name ?? null;
        const isOfPages = path.startsWith("/:path+/") || /^\/(?:feed\.|llms)/.test(path);
        assert.equal(below !== null, isOfPages, `/w/x/y/z${concrete}`);
      }
    }
    for (const path of ["/", "/topics", "/topics/time", "/about.md", "/a/b/c/d/feed.rss"]) {
      assert.equal(findDocument(path), null, path);
    }
  });

  it("hands over the variable parts of an address", () => {
    assert.deepEqual(findDocument("/topics/time/feed.atom")?.parameters, {
      path: "topics/time",
    });
    assert.deepEqual(findDocument("/quotations/llms-12.txt")?.parameters, {
      path: "quotations",
      part: "12",
    });
  });
});
