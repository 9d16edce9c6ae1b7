import assert from "node:assert/strict";
import { it } from "node:test";
import { findPage } from "../../src/content/pages/find-page.ts";
import { pageHtml } from "../../src/render/page-html.ts";
import { ORIGIN, openMcpService } from "../support/mcp-service.ts";

it("the further pages of a page's second list are at their own address, also where a text goes on", async () => {
  await using service = await openMcpService();
  const shelf = { type: "topic", path: "/topics/shelf", title: "Shelf" };
  const works = Array.from({ length: 28 }, (_, number) => ({
    ...{ type: "work", path: `/works/book-${number}`, title: `Book ${number}` },
    relations: { topics: [shelf.path] },
  }));
  const quotations = Array.from({ length: 27 }, (_, number) => ({
    ...{ type: "quotation", path: `/quotations/line-${number}`, title: `Line ${number}` },
    ...{ body: `Words number ${number}.`, relations: { topics: [shelf.path] } },
  }));
  const items = [shelf, ...works, ...quotations];
  await service.save(...items.map((item) => ({ ...item, status: "published" })));

  const second = `${ORIGIN}/topics/shelf?quotations=2`;
  const text = await service.text("get_content_by_url", { url: second, max_chars: 100 });
  assert.match(text, /^url: https:\/\/quotations\.example\/topics\/shelf\?quotations=2$/m);
  const [, call = "{}"] = /call get_content_by_url with (\{.*\})/.exec(text) ?? [];
  assert.equal(JSON.parse(call).url, second);

  const request = { parameter: (name: string) => (name === "quotations" ? "2" : undefined) };
  const answer = await findPage(service.reading, shelf.path, request);
  assert(answer.kind === "page");
  const context = { reading: service.reading, origin: ORIGIN, feeds: [] };
  assert.match(pageHtml(answer.view, context), /href="\/topics\/shelf\.md\?quotations=2"/);
});
