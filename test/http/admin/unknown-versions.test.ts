import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const NO_VERSIONS = ["", "abc", "1.5", "-1", "1e400", "3000000000", "99999999999999999999"];

describe("a version that cannot exist", () => {
  it("is not found", async () => {
    const olga = await site.person("olga@example.org", "owner");
    const { text } = await olga.get("/admin/content");
    const [path = ""] = /\/admin\/content\/[0-9a-f-]{36}/.exec(text) ?? [];
    for (const number of NO_VERSIONS) {
      assert.equal((await olga.get(`${path}/versions/${number}`)).status, 404, number);
      const restored = await olga.send(`${path}/restore`, { restore: number, revision: "1" });
      assert.match(restored.fault, /has no revision/, number);
    }
  });

  it("keeps what was typed in a draft", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    const { location } = await olga.send("/admin/new", { type: "page" });
    for (const version of NO_VERSIONS) {
      const saved = await olga.send(location ?? "", { version, title: "Typed" });
      assert.equal(saved.status, 422, version);
      assert.match(saved.text, /value="Typed"/);
      const autosaved = await olga.send(`${location}/autosave`, { version, only: "title" });
      assert.equal(autosaved.status, 409, version);
    }
  });

  it("is no delivery of a webhook", async () => {
    const olga = await site.person("olga3@example.org", "owner");
    const url = "https://receiver.example/hook";
    const { text } = await olga.send("/admin/webhooks", { url, events: "content.publish" });
    const [path = ""] = /\/admin\/webhooks\/[0-9a-f-]{36}/.exec(text) ?? [];
    for (const number of NO_VERSIONS) {
      assert.match((await olga.send(`${path}/retry`, { number })).fault, /no delivery/, number);
    }
  });
});
