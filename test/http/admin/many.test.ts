import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());
const { stores } = site.app.apiParts;

async function made(stated: object): Promise<string> {
  const input = itemInputSchema.parse({ status: "published", ...stated });
  const { item } = await saveItem(stores.content, { kind: "operator" }, input, site.clock.now);
  return item.id;
}

describe("find and replace", () => {
  it("shows what would change, and then changes it", async () => {
    const anna = await site.person("replacer@example.org");
    const id = await made({
      type: "page",
      title: "Rules",
      path: "/rules",
      body: "The comitee meets.",
    });
    assert.match((await anna.get("/admin/content")).text, /href="\/admin\/replace"/);
    assert.equal((await anna.get("/admin/replace")).status, 200);
    const asked = { find: "comitee", replace: "committee <b>", type: "" };
    const look = await anna.send("/admin/replace", asked);
    assert.equal(look.status, 200);
    assert.match(look.text, /Items that would change: 1/);
    const marked = /The <del>comitee<\/del><ins>committee &lt;b&gt;<\/ins> meets\./;
    assert.match(look.text, marked);
    assert.equal((await stores.content.item(id))?.body, "The comitee meets.");
    const done = await anna.send("/admin/replace", { ...asked, apply: "1" });
    assert.match(done.text, /Items that were changed: 1/);
    assert.equal((await stores.content.item(id))?.body, "The committee <b> meets.");
  });

  it("says what is wrong with what was asked, and keeps it", async () => {
    const anna = await site.person("replacer2@example.org");
    const same = await anna.send("/admin/replace", { find: "law", replace: "law" });
    assert.equal(same.status, 422);
    assert.match(same.text, /is the same as find/);
    assert.match(same.text, /name="find" value="law"/);
    const none = await anna.send("/admin/replace", { find: "xyzzyx", replace: "x" });
    assert.match(none.text, /No text contains these words as written/);
  });
});

describe("merging two items", () => {
  it("shows what would happen, and then moves links, names and the address", async () => {
    const anna = await site.person("merger@example.org");
    const from = await made({ type: "author", title: "M. Aurelius" });
    const into = await made({ type: "author", title: "Marcus Aurelius Antoninus" });
    const line = await made({
      ...{ type: "quotation", title: "Merged", body: "Words." },
      relations: { authors: [from] },
    });
    const path = `/admin/content/${from}/merge`;
    assert.match((await anna.get(`/admin/content/${from}`)).text, new RegExp(`href="${path}"`));
    assert.match((await anna.get(path)).text, /data-type="author" data-one/);
    const nothing = await anna.send(path, {});
    assert.equal(nothing.status, 422);
    assert.match(nothing.text, /Say which item stays/);
    const look = await anna.send(path, { "a.into": "/authors/marcus-aurelius-antoninus" });
    assert.equal(look.status, 200, look.text);
    assert.match(look.text, /“Marcus Aurelius Antoninus” stays[\s\S]*go there: 1/);
    assert.match(look.text, /\/authors\/m-aurelius/);
    assert.equal((await stores.content.item(from))?.status, "published");
    const done = await anna.send(path, { "r.into": into, apply: "1" });
    assert.equal(done.location, `/admin/content/${into}`);
    assert.equal((await stores.content.item(from))?.status, "deleted");
    assert.deepEqual((await stores.content.item(line))?.relations["authors"], [
      { to: into, note: null },
    ]);
    const led = await site.app.get("/authors/m-aurelius");
    assert.equal(led.headers.get("location"), "/authors/marcus-aurelius-antoninus");
  });

  it("says why two items cannot be merged", async () => {
    const anna = await site.person("merger2@example.org");
    const id = await made({ type: "topic", title: "Alone" });
    const refused = await anna.send(`/admin/content/${id}/merge`, { "r.into": id });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /it is the same item/);
  });
});

describe("links of a selection", () => {
  it("are added and taken away, for the items whose type has them", async () => {
    const anna = await site.person("linker@example.org");
    const target = await made({ type: "topic", title: "Common ground" });
    const lines = [
      await made({ type: "quotation", title: "First", body: "One." }),
      await made({ type: "quotation", title: "Second", body: "Two." }),
    ];
    const aside = await made({ type: "author", title: "Aside" });
    const items = [...lines, aside];
    const step = await anna.send(
      "/admin/content/selection",
      new URLSearchParams([...items.map((id): [string, string] => ["item", id]), ["how", "links"]]),
    );
    assert.equal(step.status, 200, step.text);
    assert.match(step.text, /Links of the selected items: 3/);
    assert.match(step.text, /data-picker="topics"/);
    const change = async (action: string, typed: string) =>
      await anna.send(
        "/admin/content/selection/links",
        new URLSearchParams([
          ...items.map((id): [string, string] => ["item", id]),
          ["action", action],
          ["a.topics", typed],
        ]),
      );
    const unknown = await change("link", "/topics/nowhere");
    assert.equal(unknown.status, 422);
    assert.match(unknown.text, /Nothing is called “\/topics\/nowhere”/);
    assert.match((await change("link", "/topics/common-ground")).text, /were changed: 2/);
    const topics = async () =>
      await Promise.all(
        lines.map(async (id) => (await stores.content.item(id))?.relations["topics"]),
      );
    assert.deepEqual(await topics(), [[{ to: target, note: null }], [{ to: target, note: null }]]);
    assert.match((await change("unlink", "/topics/common-ground")).text, /were changed: 2/);
    assert.deepEqual(await topics(), [undefined, undefined]);
    assert.equal((await change("link", "")).status, 400);
  });
});

describe("notes on a draft", () => {
  it("are left and removed on the screen of the draft, with the name of who left them", async () => {
    const anna = await site.person("noter@example.org");
    const begun = await anna.send("/admin/new", { type: "page", title: "Noted" });
    const path = begun.location ?? "";
    const left = await anna.send(`${path}/notes`, { text: "Ask <Ben> first" });
    assert.equal(left.location, path);
    const { text } = await anna.get(path);
    assert.match(text, /Notes<\/h2>[\s\S]*Ask &lt;Ben&gt; first/);
    assert.doesNotMatch(text, /person:/);
    const [removal = ""] = /\/admin\/draft-notes\/[^/]+\/remove/.exec(text) ?? [];
    assert.equal((await anna.send(removal, {})).location, path);
    assert.doesNotMatch((await anna.get(path)).text, /Ask &lt;Ben/);
    assert.equal((await anna.send(`${path}/notes`, { text: " " })).status, 400);
  });
});
