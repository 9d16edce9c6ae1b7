import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const anna = await site.person("anna@example.org");

it("an address and a language are taken without the spaces that phones add to them", async () => {
  const draft = (await anna.send("/admin/new", { type: "page", title: "Rooms" })).location ?? "";
  const typed = { title: "Rooms", path: " /rooms ", language: "de ", version: "1" };
  assert.equal((await anna.send(draft, typed)).status, 303);
  const { text } = await anna.get(draft);
  assert.match(text, /name="path" value="\/rooms"/);
  assert.match(text, /name="language" value="de"/);
  const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? "";
  const published = await anna.send(`${draft}/publish`, { version });
  assert.equal(published.status, 303, published.fault);
  assert.equal((await site.app.get("/rooms")).status, 200);
});
