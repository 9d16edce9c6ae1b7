import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { changeItem, saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());
const { stores } = site.app.apiParts;

async function saved(stated: object): Promise<string> {
  const input = itemInputSchema.parse({ status: "published", ...stated });
  const { item } = await saveItem(stores.content, { kind: "operator" }, input, site.clock.now);
  return item.id;
}

describe("the list of content of one kind", () => {
  it("shows what each item says and links to, and is filtered and sorted by it", async () => {
    const author = await saved({ type: "author", title: "Ida Lister" });
    const quotation = (title: string, year: number, verification: string) =>
      saved({
        ...{ type: "quotation", title, body: title, fields: { year, verification } },
        relations: { authors: [author] },
      });
    await quotation("Listed first", 1901, "verified");
    await quotation("Listed later", 1950, "disputed");
    const anna = await site.person("lister@example.org");
    const all = await anna.get("/admin/content?type=quotation");
    assert.match(
      all.text,
      /Listed later[\s\S]*?Authors: Ida Lister · Year: 1950 · Verification: disputed/,
    );
    assert.match(all.text, /<select name="field-verification">/);
    assert.match(all.text, /<details class="more"><summary>/);

    const disputed = await anna.get("/admin/content?type=quotation&field-verification=disputed");
    assert.match(disputed.text, /Listed later/);
    assert.doesNotMatch(disputed.text, /Listed first/);
    assert.match(disputed.text, /<option value="disputed" selected>/);
    assert.match(disputed.text, /<details class="more" open>/);

    const early = await anna.get("/admin/content?type=quotation&field-year-to=1910&sort=year");
    assert.match(early.text, /Listed first/);
    assert.doesNotMatch(early.text, /Listed later/);
    assert.match(early.text, /name="field-year-to" value="1910"/);
    assert.match(early.text, /<option value="year" selected>/);
  });

  it("keeps its filters on the next page", async () => {
    for (let number = 0; number < 51; number += 1) {
      await saved({ type: "quotation", title: `Paged ${number}`, fields: { year: 1777 } });
    }
    const anna = await site.person("pager@example.org");
    const first = await anna.get("/admin/content?type=quotation&field-year-from=1777&sort=title");
    const [, more = ""] = /href="([^"]*cursor=[^"]*)"/.exec(first.text) ?? [];
    assert.match(more, /field-year-from=1777/);
    assert.equal((await anna.get(more.replaceAll("&amp;", "&"))).status, 200);
  });

  it("says what is wrong with a bound", async () => {
    const anna = await site.person("bounder@example.org");
    const answer = await anna.get("/admin/content?type=quotation&field-year-from=soon");
    assert.equal(answer.status, 400);
    assert.match(answer.text, /year/);
  });
});

describe("the desk", () => {
  it("names webhooks that cannot be delivered, to those who may change them", async () => {
    const olga = await site.person("hooks@example.org", "owner");
    const input = { url: "https://93.184.215.14/failing", events: "content.*" };
    await olga.send("/admin/webhooks", input);
    const [webhook] = await stores.webhooks.list();
    assert(webhook !== undefined);
    const desk = /failing<\/a> <span class="state">Webhook that cannot be delivered/;
    assert.doesNotMatch((await olga.get("/admin/desk")).text, desk);
    await stores.webhooks.write((transaction) =>
      transaction.update({ ...webhook, failingSince: site.clock.now.toISOString() }, null),
    );
    assert.match((await olga.get("/admin/desk")).text, desk);
    const anna = await site.person("writer@example.org");
    assert.doesNotMatch((await anna.get("/admin/desk")).text, desk);
  });

  it("draws views and calls by day", async () => {
    const day = site.clock.now.toISOString().slice(0, 10);
    await stores.views.add([{ day, kind: "page", count: 3 }], []);
    await stores.keyUse.add([
      { keyId: "one", day, tool: "search_content", count: 2 },
      { keyId: "two", day, tool: "list_content", count: 5 },
    ]);
    const olga = await site.person("charts@example.org", "owner");
    const { text } = await olga.get("/admin/desk");
    assert.match(text, /Page views: 3<\/h3>\s*<figure class="chart">/);
    assert.match(text, /Calls with keys: 7<\/h3>\s*<figure class="chart">/);
  });
});

it("finds drafts of new items from the search at the top", async () => {
  const anna = await site.person("finder@example.org");
  const begun = await anna.send("/admin/new", { type: "topic", title: "Perspicacity" });
  const { text } = await anna.get("/admin/find?q=perspicacity");
  assert.match(text, new RegExp(`<h2>Drafts of new items</h2>.*href="${begun.location}"`, "s"));
  assert.doesNotMatch(text, /Nothing found/);
});

it("lists all versions of an item, twenty at a time", async () => {
  const id = await saved({ type: "topic", title: "Version 1" });
  for (let number = 2; number <= 21; number += 1) {
    await changeItem(stores.content, { kind: "operator" }, id, {
      patch: { title: `Version ${number}` },
      now: site.clock.now,
    });
  }
  const anna = await site.person("versions@example.org");
  const path = `/admin/content/${id}`;
  const { text } = await anna.get(path);
  assert.doesNotMatch(text, /versions\/1"/);
  const [, older = ""] = /href="([^"]+)#history"/.exec(text) ?? [];
  const rest = await anna.get(older);
  assert.match(rest.text, /versions\/1"/);
  assert.doesNotMatch(rest.text, /#history"/);
});
