import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/navigation";

/** Sends rows of label, address and level. */
async function sendRows(
  person: Browser,
  rows: readonly (readonly [string, string, string])[],
  more: Readonly<Record<string, string>> = { "en.own": "yes" },
): Promise<Shown> {
  const fields = new URLSearchParams(more);
  for (const [label, to, level] of rows) {
    for (const [name, value] of Object.entries({ label, to, level })) {
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
      ["", "/about", "top"],
      ["Read", "", "top"],
      ["", "/topics", "below"],
      ["By author", "/authors", "below"],
      ["Not yet", "/not-public", "below"],
      ["Shop", "https://shop.example", "top"],
      ["", "", "top"],
    ]);
    assert.equal(saved.location, `${PATH}?saved=true`, saved.text);
    assert.equal(
      (await navigation()).replace(/^.*?<ul>/, "<ul>"),
      '<ul><li><a href="/about" aria-current="page">About the association</a></li><li><details name="menu"><summary>Read</summary><ul><li><a href="/topics">Topics</a></li><li><a href="/authors">By author</a></li></ul></details></li><li><a href="https://shop.example" rel="external">Shop</a></li></ul></nav>',
    );
    assert.match((await olga.get(PATH)).text, /name="en\.label" value="By author"/);
    assert.equal((await olga.send(PATH, { "en.own": "" })).location, `${PATH}?saved=true`);
    assert.match(await navigation(), /href="\/quotations"/);
  });

  it("keeps entries that were typed while it says that the navigation is automatic", async () => {
    const olga = await site.person("olga4@example.org", "owner");
    const { text } = await olga.get(PATH);
    const shown = [
      ...text.matchAll(/name="en\.label" value="([^"]*)"[\s\S]*?name="en\.to" value="([^"]*)"/g),
    ].map(([, label = "", to = ""]) => [label, to, "top"] as const);
    const untouched = { "en.own": "", "en.was": "automatic" };
    assert.match(text, /name="en\.was" value="automatic"/);
    await sendRows(olga, shown, untouched);
    assert.match((await olga.get(PATH)).text, /value="" checked/, "nothing was changed");
    await sendRows(olga, [...shown, ["Us", "/about", "top"]], untouched);
    assert.match(await navigation(), />Us</);
    assert.match((await olga.get(PATH)).text, /name="en\.own" value="yes" checked/);
    await olga.send(PATH, { "en.own": "" });
    assert.doesNotMatch(await navigation(), />Us</);
  });

  it("moves lines by buttons, with those below them, and saves nothing by that", async () => {
    const olga = await site.person("olga3@example.org", "owner");
    const before = await navigation();
    const rows = [
      ["A", "/a", "top"],
      ["B", "/b", "top"],
      ["C", "/c", "below"],
      ["D", "/d", "top"],
    ] as const;
    const after = async (move: string) => {
      const { status, text } = await sendRows(olga, rows, { "en.own": "", move });
      assert.equal(status, 200, move);
      assert.match(text, /Not saved yet/);
      assert.match(text, /name="en\.own" value="yes" checked/);
      const lines = text.matchAll(
        /name="en\.label" value="(\w)"[\s\S]*?name="en\.level" value="(\w+)"/g,
      );
      return [...lines].map(([, label = "", level]) => (level === "below" ? `>${label}` : label));
    };
    assert.deepEqual(await after("en:1:up"), ["B", ">C", "A", "D"]);
    assert.deepEqual(await after("en:0:down"), ["B", ">C", "A", "D"]);
    assert.deepEqual(await after("en:3:up"), ["A", "D", "B", ">C"]);
    assert.deepEqual(await after("en:2:up"), ["A", ">C", "B", "D"]);
    assert.deepEqual(await after("en:2:down"), ["A", "B", "D", ">C"]);
    assert.deepEqual(await after("en:2:level"), ["A", "B", "C", "D"]);
    assert.deepEqual(await after("en:1:level"), ["A", ">B", ">C", "D"]);
    assert.deepEqual(await after("en:1:remove"), ["A", ">C", "D"]);
    assert.deepEqual(await after("en:0:remove"), ["B", ">C", "D"]);
    for (const move of ["en:0:up", "en:3:down", "en:0:level", "en:99:up"])
      assert.deepEqual(await after(move), ["A", "B", ">C", "D"], move);
    const added = [...rows, ["", "", "top"], ["E", "/e", "top"]] as const;
    const { text: more } = await sendRows(olga, added, { move: "en:5:level" });
    assert.match(
      more,
      /class="below"><input name="en\.label" value="E"/,
      "empty lines are left out",
    );
    assert.equal(await navigation(), before);
    const { text } = await sendRows(olga, rows, { "en.own": "yes", move: "en:1:up" });
    assert.match(text, /value="en:0:up"[^>]* autofocus>/);
  });

  it("keeps all lines where the session has ended", async () => {
    const olga = await site.person("olga5@example.org", "owner");
    const rows = Array.from({ length: 12 }, (_, at) => [`Line ${at}`, `/${at}`, "top"] as const);
    const token = "of-the-ended-session";
    const refused = await sendRows(olga, rows, { token, "en.own": "yes" });
    assert.equal(refused.status, 403);
    assert.match(refused.fault, /another session/);
    for (const [label, to] of rows) {
      assert(refused.text.includes(`value="${label}"`), label);
      assert(refused.text.includes(`value="${to}"`), to);
    }
  });

  it("refuses what is no address, and keeps the lines", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    for (const [label, to, reason] of [
      ["Bad", "javascript:alert(1)", /Address 1: is neither a path/],
      ["Bad", "//elsewhere.example", /is neither a path/],
      ["", "https://elsewhere.example", /is needed for a link to another site/],
      ["Alone", "", /is needed for an entry without entries below it/],
    ] as const) {
      const refused = await sendRows(olga, [[label, to, "top"]]);
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
