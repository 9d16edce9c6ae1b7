import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { PDF, png } from "../../support/media-bytes.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

it("the Markdown of a file shows its words as they are, whatever they contain", async () => {
  const words = ["see `x", "5 *new* [lists]", "__init__ walk_1", "Q&amp;A <b>", "a\\b ~c~ |d|"];
  for (const [at, text] of words.entries()) {
    const picture = await api.request("POST", `/media?${new URLSearchParams({ alt: text })}`, {
      body: png(9, 9, at),
    });
    const pdf = Buffer.concat([PDF, Buffer.from(`%${at}\n`)]);
    const document = await api.request("POST", `/media?${new URLSearchParams({ name: text })}`, {
      body: pdf,
    });
    const body = `${picture.body.markdown} ${document.body.markdown} and \`code\``;
    const page = { type: "page", path: `/page-${at}`, title: "Page", body, status: "published" };
    assert.equal((await api.request("POST", "/content", { body: page })).status, 201);
    const html = await (await api.app.get(page.path)).text();
    const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    assert.ok(html.includes(` alt="${escaped}"`), `${text}: ${html}`);
    assert.ok(html.includes(`href="${document.body.path}">${escaped}</a>`), `${text}: ${html}`);
  }
});
