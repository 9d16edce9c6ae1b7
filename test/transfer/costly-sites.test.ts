import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readOldAddresses } from "../../src/content/import/redirects/old-addresses.ts";
import { extractUrlsFromHtml } from "../../src/content/import/wordpress/post-markdown.ts";
import {
  extractUrlsFromPage,
  extractUrlsFromXml,
} from "../../src/transfer/fetching/found-addresses.ts";
import { findRestRootUrl } from "../../src/transfer/fetching/wordpress/rest-address.ts";
import { requireNearLinear } from "../support/costly/growth.ts";
import { type CostlyText, halves } from "../support/costly/pieces.ts";

const PAGE = "https://old.example/a";
/** End tags of elements that are not open, after elements that are never closed. */
const UNCLOSED: CostlyText = (characters) => halves("<i>", "</b>")(8 * characters);

describe("Elements that are never closed, in what other sites send:", () => {
  it("a page costs no more than its length", () =>
    requireNearLinear(UNCLOSED, (html) => {
      extractUrlsFromPage(html, PAGE);
      findRestRootUrl(html, PAGE);
    }));

  it("a post costs no more than its length", () =>
    requireNearLinear(UNCLOSED, extractUrlsFromHtml));

  it("a sitemap costs no more than its length", () =>
    requireNearLinear(UNCLOSED, extractUrlsFromXml));

  it("the addresses of a page are found whatever is open around them", () => {
    const html = `${"<font>".repeat(500)}<a href="b">B</a><svg><a href="c">C</a></svg><img src="d.png">`;
    const { links, files } = extractUrlsFromPage(html, PAGE);
    assert.deepEqual([...links], ["https://old.example/b", "https://old.example/c"]);
    assert.deepEqual([...files], ["https://old.example/d.png"]);
  });

  it("the addresses of a sitemap are found up to there", () => {
    const xml = `<urlset><url><loc>${PAGE}</loc></url>${UNCLOSED(500)}`;
    assert.deepEqual(extractUrlsFromXml(xml).pages, [PAGE]);
  });

  it("a list of old addresses is refused in words", async () => {
    const list = Buffer.from(`<urlset><url><loc>${PAGE}</loc></url>${UNCLOSED(500)}`);
    await assert.rejects(readOldAddresses(list), {
      code: "invalid",
      message: "Cannot read the sitemap: it nests too deep",
    });
  });
});
