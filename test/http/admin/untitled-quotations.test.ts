import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const anna = await site.person("anna@example.org");

/** Writes a text without a title, and opens the step that publishes it. */
async function untitled(type: string, body: string) {
  const path = (await anna.send("/admin/new", { type })).location ?? "";
  const version = async (at: string) =>
    /name="version" value="(\d+)"/.exec((await anna.get(at)).text)?.[1] ?? "";
  const form = (await anna.get(path)).text;
  await anna.send(path, { title: "", body, version: await version(path) });
  const step = (await anna.get(`${path}/publish`)).text;
  const publish = async () =>
    await anna.send(`${path}/publish`, { version: await version(`${path}/publish`) });
  return { form, step, publish };
}

it("a new quotation without a title has the first words of its text as its title", async () => {
  const draft = await untitled("quotation", "“Patience is *bitter*, but its fruit is sweet.”");
  assert.match(draft.form, /Left empty, it becomes the first words of the text\./);
  assert.match(draft.step, /<h1[^>]*>Publish: Patience is bitter, but its fruit is sweet\.</);
  assert.doesNotMatch(draft.step, /Title: is missing/);
  const published = await draft.publish();
  assert.equal(published.status, 303, published.fault);
  const page = await anna.get("/quotations/patience-is-bitter-but-its-fruit-is-sweet");
  assert.equal(page.status, 200);
});

it("a page needs a title, and so does a quotation without a text", async () => {
  const page = await untitled("page", "Some text.");
  assert.doesNotMatch(page.form, /Left empty/);
  assert.match(page.step, /Title: is missing/);
  assert.match((await untitled("quotation", " ")).step, /Title: is missing/);
});

it("drafts without a title are called by their first words in lists and when one looks for them", async () => {
  await untitled("page", "## Opening hours\n\nWe are open on **Mondays**.");
  await untitled("quotation", "A line that nobody has given a title yet.");
  const drafts = (await anna.get("/admin/drafts")).text;
  assert.match(drafts, />Opening hours We are open on Mondays\.</);
  assert.match(drafts, />A line that nobody has given a title yet\.</);
});
