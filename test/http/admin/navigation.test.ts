import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/navigation";

/** Sends rows of position, label, address and level. */
async function sendRows(
  person: Browser,
  rows: readonly (readonly [string, string, string, string])[],
): Promise<Shown> {
  const fields = new URLSearchParams({ "en.own": "yes" });
  for (const [position, label, to, level] of rows) {
    for (const [name, value] of Object.entries({ position, label, to, level })) {
      fields.append(`en.${name}`, value);
    }
  }
  return await person.send(PATH, fields);
}

async function navigation(): Promise<string> {
  const page = await (await site.app.get("/about", { Accept: "text/html" })).text();
  return /<nav class="main-links"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? "";
}

describe("the Navigation screen", () => {
  it("orders the navigation, with levels, labels and other sites", async () => {
    const olga = await site.person("olga@example.org", "owner");
    assert.match((await olga.get(PATH)).text, /name="en\.label" value="Topics"/);
    const saved = await sendRows(olga, [
      ["30", "Shop", "https://shop.example", "top"],
      ["10", "", "/about", "top"],
      ["20", "Read", "", "top"],
      ["21", "", "/topics", "below"],
      ["22", "By author", "/authors", "below"],
      ["23", "Not yet", "/not-public", "below"],
      ["99", "", "", "top"],
    ]);
    assert.equal(saved.location, PATH, saved.text);
    assert.equal(
      (await navigation()).replace(/^.*?<ul>/, "<ul>"),
      '<ul><li><a href="/about" aria-current="page">About the association</a></li><li><details name="menu"><summary>Read</summary><ul><li><a href="/topics">Topics</a></li><li><a href="/authors">By author</a></li></ul></details></li><li><a href="https://shop.example" rel="external">Shop</a></li></ul></nav>',
    );
    assert.match((await olga.get(PATH)).text, /name="en\.label" value="By author"/);
    assert.equal((await olga.send(PATH, { "en.own": "" })).location, PATH);
    assert.match(await navigation(), /href="\/quotations"/);
  });

  it("refuses what is no address, and keeps the lines", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    for (const [label, to, reason] of [
      ["Bad", "javascript:alert(1)", /Address 1: is neither a path/],
      ["Bad", "//elsewhere.example", /is neither a path/],
      ["", "https://elsewhere.example", /is needed for a link to another site/],
      ["Alone", "", /is needed for an entry without entries below it/],
    ] as const) {
      const refused = await sendRows(olga, [["10", label, to, "top"]]);
      assert.equal(refused.status, 400, to);
      assert.match(refused.text, reason);
      assert(refused.text.includes(`value="${to}"`), to);
    }
  });
});

it("breadcrumbs name the pages that a path leads through", async () => {
  await using api = await openApiClient();
  for (const [path, title] of [
    ["/about/board", "The board"],
    ["/about/board/minutes/2026", "Minutes of 2026"],
  ]) {
    const body = { type: "page", path, title, body: "Text", status: "published" };
    assert.equal((await api.request("POST", "/content", { body })).status, 201);
  }
  const answer = await api.app.get("/about/board/minutes/2026", { Accept: "text/html" });
  assert.match(
    await answer.text(),
    /<nav class="trail"[^>]*><ol><li><a href="\/">Home<\/a><\/li><li><a href="\/about">About the association<\/a><\/li><li><a href="\/about\/board">The board<\/a><\/li><\/ol>/,
  );
});
